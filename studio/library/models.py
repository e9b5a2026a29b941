"""What people note about files to find them again, and the words that files are found by.

Stars and tags are each user's own: a library goes across projects, which the others of one
project can't see, and who may only look at a project can put its files in order, too.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models

from studio.artifacts.models import Artifact

TAG_LENGTH = 40
# Folding makes up to three characters of one.
FOLDED_LENGTH = 3 * TAG_LENGTH


class Star(models.Model):
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="stars"
    )
    artifact = models.ForeignKey(Artifact, on_delete=models.CASCADE, related_name="stars")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "artifact"], name="one_star_per_user")
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.artifact_id}"


class Tag(models.Model):
    """A user's word for some files; `folded` is what makes two spellings the same word."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tags"
    )
    name = models.CharField(max_length=TAG_LENGTH)
    folded = models.CharField(max_length=FOLDED_LENGTH)
    artifacts = models.ManyToManyField(Artifact, related_name="tags")

    class Meta:
        ordering = ["folded"]
        constraints = [models.UniqueConstraint(fields=["user", "folded"], name="one_tag_per_word")]

    def __str__(self) -> str:
        return self.name


class Entry(models.Model):
    """The words of a file (`studio.library.words`), each once; databases keep an index of them.

    That is an FTS5 table with triggers in SQLite and a GIN index in PostgreSQL: a migration that
    alters this table makes them again.
    """

    artifact = models.OneToOneField(Artifact, primary_key=True, on_delete=models.CASCADE)
    words = models.TextField()

    def __str__(self) -> str:
        return f"{self.artifact_id}"
