"""What a share opens: which files of its project, in which version, and what shows them."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Case, Count, Exists, F, Max, OuterRef, Q, QuerySet, Subquery, When
from django.utils.crypto import salted_hmac

from studio.artifacts.granted import wanted_version
from studio.artifacts.kinds import VISUAL
from studio.artifacts.links import Grant, Moment, Through
from studio.artifacts.models import Artifact, Version
from studio.inspections.models import Preview
from studio.runs.models import Run, Status
from studio.sharing.beside import beside
from studio.sharing.models import Share

# The same bytes may show many versions.
SAME_BYTES = 50
NEWEST = ("-artifact__updated", "-artifact_id")


def pin(share: Share, version: Version | None) -> None:
    """Keep what a saved share opens as it is now; of one file in this version, with what lay
    beside it then.
    """
    versions: Collection[Version]
    if version is None:
        versions = current(share)
    else:
        then = Moment(share.project_id, version.pk)
        others = (wanted_version(then, path, "") for path in beside(version))
        versions = [version, *(other for other in others if other)]
    share.versions.set(versions)


def current(share: Share) -> QuerySet[Version]:
    """What the project has now, one version of each file."""
    ours = Version.objects.filter(artifact__project=share.project_id, artifact__removed=False)
    return ours.filter(pk=F("artifact__latest"))


def pinned(share: Share) -> QuerySet[Version]:
    """What a pinned share was made with, but what somebody has deleted since."""
    return share.versions.filter(artifact__deleted=None)


def shown_versions(share: Share) -> QuerySet[Version]:
    """What a visitor is shown; not what lies beside a page and comes with it."""
    versions = pinned(share) if share.pinned else current(share)
    return versions.filter(artifact=share.artifact_id) if share.artifact_id else versions


def shown(share: Share) -> list[Artifact]:
    """The files that a visitor is shown, the newest first, each with the version in `latest`.

    Of a share of one file it is this one, or nothing when it is gone.
    """
    return artifacts(share, shown_versions(share).order_by(*NEWEST))


def cover(share: Share) -> Artifact | None:
    """The file that stands for all that a visitor is shown: the newest that can be seen, if any."""
    unseen = Case(When(artifact__kind__in=VISUAL, then=0), default=1)
    first = shown_versions(share).order_by(unseen, *NEWEST)[:1]
    return next(iter(artifacts(share, first)), None)


def artifacts(share: Share, versions: QuerySet[Version]) -> list[Artifact]:
    """The files of the share that have these versions: to a visitor no other version exists, so
    it is the `latest`, which is not to be saved.
    """
    found = []
    for version in versions.select_related("artifact"):
        version.artifact.project, version.artifact.latest = share.project, version
        found.append(version.artifact)
    return found


def replayed(share: Share) -> QuerySet[Version]:
    """What was left by the requests that a visitor may watch, of the files that the share opens.

    Of what is pinned that ends with the request it was pinned after.
    """
    versions = Version.objects.filter(artifact__project=share.project_id, run__status=Status.ENDED)
    if not share.allow_replay:
        return versions.none()
    if share.artifact_id:
        versions = versions.filter(artifact=share.artifact_id)
    if not share.pinned:
        return versions.filter(artifact__removed=False)
    last = pinned(share).filter(artifact=OuterRef("artifact")).values("number")
    return versions.filter(number__lte=Subquery(last), run__ended__lte=share.created)


def runs(share: Share) -> QuerySet[Run]:
    """The requests that a visitor may watch, the first one first: those that made what is shown.

    The copy of a project has requests of which nothing is told.
    """
    return Run.objects.filter(pk__in=replayed(share).values("run"), last_seq__gt=0)


def asked(share: Share) -> QuerySet[Run]:
    """The requests that a visitor is told of, the first one first: those that led to what is
    shown, up to the versions that are.
    """
    if not share.show_prompts:
        return Run.objects.none()
    last = shown_versions(share)
    later = last.filter(artifact=OuterRef("artifact"), number__gte=OuterRef("number"))
    led = Version.objects.filter(Exists(later) | Q(pk__in=last.values("source")))
    # A file may come from another project, whose requests are not told here.
    return share.project.runs.filter(pk__in=led.values("run"))


def request(share: Share, version: Version) -> Run | None:
    """The request of the share's project that left a version, or what that was taken from."""
    taken: Version | None = version
    while taken and taken.run is None:
        taken = taken.source
    run = taken.run if taken else None
    return run if run and run.project_id == share.project_id else None


def stamp(share: Share) -> str:
    """Another one when a page of the share would look otherwise by now."""
    now = [str(share.changed)]
    if not share.pinned:
        # What a run writes better later is the same version, of another time.
        now += map(str, shown_versions(share).aggregate(Max("created"), Count("pk")).values())
    return salted_hmac("studio.sharing.stamp", " ".join(now)).hexdigest()[:16]


def through(share: Share) -> Through:
    """What signed addresses for a visitor are for."""
    return Through(share.pk, share.edition)


def still_open(came: Through) -> Share | None:
    """The share that an address was signed for, if nobody has closed it since."""
    shares = Share.objects.open().filter(pk=came.share, edition=came.edition)
    return shares.select_related("artifact", "project").first()


def all_open(came: Collection[Through]) -> set[Through]:
    """Those whose shares nobody has closed since."""
    shares = Share.objects.open().filter(pk__in={each.share for each in came})
    return set(came).intersection(Through(*each) for each in shares.values_list("pk", "edition"))


def wanted(share: Share, grant: Grant, path: str, digest: str) -> Version | None:
    """The version of a file that a visitor gets; none if the share does not open it.

    Of what is live that is the newest one, or for a page that is open the one it was made for.
    Who may watch how a file was made gets its earlier versions, too.
    """
    if share.pinned:
        version = pinned(share).filter(artifact__path=path).first()
    else:
        version = wanted_version(grant, path, "")
        if version and (version.artifact.removed or not _of_share(share, grant, path)):
            version = None
    if version and digest in ("", version.digest):
        return version
    earlier = replayed(share).filter(artifact__path=path, digest=digest)
    return earlier.select_related("artifact").first()


def _of_share(share: Share, grant: Grant, path: str) -> bool:
    if share.artifact is None or share.artifact.path == path:
        return True
    page = wanted_version(grant, share.artifact.path, "")
    return page is not None and path in beside(page)


def shows(share: Share, grant: Grant, preview_digest: str) -> bool:
    """Whether these bytes show a version that a visitor gets."""
    previews = Preview.objects.filter(
        digest=preview_digest, inspection__version__artifact__project=grant.project
    )
    versions = previews.values_list(
        "inspection__version__artifact__path", "inspection__version__digest"
    )
    return any(wanted(share, grant, *each) for each in versions[:SAME_BYTES])
