from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("sharing", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="share",
            name="allow_replay",
            field=models.BooleanField(default=False),
        ),
    ]
