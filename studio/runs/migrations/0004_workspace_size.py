from django.db import migrations, models


def fill(apps, schema_editor) -> None:
    """The sizes of the workspaces that runs left before, as their events tell them."""
    runs = apps.get_model("runs", "Run").objects
    events = apps.get_model("runs", "Event").objects.filter(kind="workspace.saved").order_by("seq")
    for run_id, data in events.values_list("run", "data").iterator():
        row = runs.filter(pk=run_id, workspace=data["digest"])
        row.update(workspace_size=data["size"])


class Migration(migrations.Migration):
    dependencies = [("runs", "0003_pausing")]

    operations = [
        migrations.AddField(
            model_name="run",
            name="workspace_size",
            field=models.BigIntegerField(default=0),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
