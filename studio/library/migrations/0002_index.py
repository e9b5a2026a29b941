"""An index of the words: FTS5 in SQLite, kept by triggers, and a GIN index in PostgreSQL.

The words come ready: neither database splits or folds anything.
"""

from django.db import migrations

SQLITE = [
    """CREATE VIRTUAL TABLE library_words USING fts5(
        words, content='library_entry', content_rowid='artifact_id',
        tokenize='ascii', detail='none', columnsize=0)""",
    """CREATE TRIGGER library_entry_added AFTER INSERT ON library_entry BEGIN
        INSERT INTO library_words(rowid, words) VALUES (new.artifact_id, new.words);
    END""",
    """CREATE TRIGGER library_entry_removed AFTER DELETE ON library_entry BEGIN
        INSERT INTO library_words(library_words, rowid, words)
        VALUES ('delete', old.artifact_id, old.words);
    END""",
    """CREATE TRIGGER library_entry_changed AFTER UPDATE ON library_entry BEGIN
        INSERT INTO library_words(library_words, rowid, words)
        VALUES ('delete', old.artifact_id, old.words);
        INSERT INTO library_words(rowid, words) VALUES (new.artifact_id, new.words);
    END""",
]
SQLITE_BACK = [
    "DROP TRIGGER library_entry_added",
    "DROP TRIGGER library_entry_removed",
    "DROP TRIGGER library_entry_changed",
    "DROP TABLE library_words",
]
POSTGRESQL = [
    """CREATE INDEX library_words ON library_entry
        USING gin (array_to_tsvector(string_to_array(words, ' ')))"""
]
POSTGRESQL_BACK = ["DROP INDEX library_words"]


def make(apps, schema_editor):
    sqlite = schema_editor.connection.vendor == "sqlite"
    for statement in SQLITE if sqlite else POSTGRESQL:
        schema_editor.execute(statement, params=None)


def unmake(apps, schema_editor):
    sqlite = schema_editor.connection.vendor == "sqlite"
    for statement in SQLITE_BACK if sqlite else POSTGRESQL_BACK:
        schema_editor.execute(statement, params=None)


class Migration(migrations.Migration):
    dependencies = [("library", "0001_initial")]

    operations = [migrations.RunPython(make, unmake)]
