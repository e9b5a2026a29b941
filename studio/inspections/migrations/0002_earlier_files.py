"""Have the files looked into that were there before anybody did."""

from django.db import migrations


def wait(apps, schema_editor):
    inspection = apps.get_model("inspections", "Inspection")
    for field, app, model in [("version", "artifacts", "Version"), ("input", "projects", "Input")]:
        keys = apps.get_model(app, model).objects.values_list("pk", flat=True)
        inspection.objects.bulk_create(
            [inspection(**{f"{field}_id": key}) for key in keys.iterator()], batch_size=500
        )


class Migration(migrations.Migration):
    dependencies = [("inspections", "0001_initial")]
    operations = [migrations.RunPython(wait, migrations.RunPython.noop)]
