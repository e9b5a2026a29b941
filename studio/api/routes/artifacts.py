from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from ninja import P, QueryEx, Router

from studio.api import schemas, showing
from studio.api.paging import Cursor, Limit, Page, page
from studio.api.tokens import Request
from studio.artifacts import links
from studio.artifacts.models import PATH_LENGTH, Artifact
from studio.projects.access import project_of

router = Router(tags=["Artifacts"])

Path = QueryEx[str | None, P(max_length=PATH_LENGTH, description="Only the one with this path.")]
Digest = QueryEx[
    str | None, P(pattern="^[0-9a-f]{64}$", description="Of a version; else the newest.")
]


@router.get(
    "/{slug:project_id}/artifacts", response=Page[schemas.Artifact], summary="List artifacts"
)
def list_artifacts(
    request: Request,
    project_id: str,
    path: Path = None,
    removed: bool = False,
    cursor: Cursor = "",
    limit: Limit = 50,
):
    """The files that runs made, the newest first; with `removed` also those that are gone."""
    found = project_of(request.user, project_id).artifacts.select_related("latest__inspection")
    if not removed:
        found = found.filter(removed=False)
    if path is not None:
        found = found.filter(path=path.replace("\0", ""))
    rows, more = page(found, ("updated", "id"), cursor, limit)
    return {"items": [showing.artifact(request, row) for row in rows], "next": more}


@router.get(
    "/{slug:project_id}/artifacts/{int:artifact_id}",
    response=schemas.ArtifactWithVersions,
    summary="Get an artifact",
)
def get_artifact(request: Request, project_id: str, artifact_id: int):
    """With its versions, what was found in each and where to get them."""
    row = artifact(request, project_id, artifact_id)
    versions = row.versions.select_related("run", "source__artifact", "inspection")
    told = [showing.version(request, row, each) for each in versions]
    return showing.artifact(request, row) | {"versions": told}


@router.get(
    "/{slug:project_id}/artifacts/{int:artifact_id}/download",
    response={302: None},
    summary="Download an artifact",
)
def download_artifact(
    request: Request, project_id: str, artifact_id: int, digest: Digest = None
) -> HttpResponse:
    """Leads to an address that opens without a token for a few hours; do not send one there."""
    row = artifact(request, project_id, artifact_id)
    if digest is None:
        return redirect(links.address(request, project_id, row.path, download="1"))
    version = row.versions.filter(digest=digest).first()
    if version is None:
        raise Http404
    return redirect(links.version_address(request, row, version, download="1"))


def artifact(request: Request, project_id: str, artifact_id: int) -> Artifact:
    rows = project_of(request.user, project_id).artifacts
    return get_object_or_404(rows.select_related("latest__inspection"), pk=artifact_id)
