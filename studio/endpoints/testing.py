"""Testing an endpoint's connection from the administration."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from agent.errors import ModelUnavailable
from agent.models.catalogue import Offer
from agent.models.probe import Probed, look, probe
from studio.endpoints.choices import remember
from studio.endpoints.models import Endpoint, LanguageModel, Sees

# For all models together: somebody waits for the page.
SECONDS = 15.0
AT_ONCE = 8


def tested(endpoint: Endpoint) -> Iterator[tuple[LanguageModel, Probed]]:
    """Ask its first enabled models at once; what was found out of their sight is remembered."""
    rows = list(endpoint.models.filter(enabled=True)[:AT_ONCE])
    try:
        offers = [row.offer() for row in rows]
    except ModelUnavailable as error:
        yield from ((row, Probed(False, str(error), 0.0)) for row in rows)
        return
    looks = [row.sees == Sees.AUTO for row in rows]
    with ThreadPoolExecutor(AT_ONCE) as threads:
        for row, found in zip(rows, threads.map(_ask, offers, looks), strict=True):
            if found.sees is not None:
                remember(row, found.sees)
            yield row, found


def _ask(offer: Offer, looks: bool) -> Probed:
    try:
        model = offer.model(sees=looks)
    except ModelUnavailable as error:
        return Probed(False, str(error), 0.0)
    return look(model, SECONDS) if looks else probe(model, SECONDS)
