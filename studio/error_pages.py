"""Errors as pages, for who reads pages; programs and a page's own scripts get the short answer."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin


def reads_pages(accept: str) -> bool:
    """Whether who says that they accept this goes from page to page: only browsers name HTML."""
    return "text/html" in accept


class NotAllowedPage(MiddlewareMixin):
    """A page for addresses that only take what forms send: of them Django says nothing at all.

    People come there by themselves, when they sign in again to send something.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        bare = response.status_code == 405 and not response.content
        if not bare or not reads_pages(request.headers.get("accept", "")):
            return response
        page = render(request, "405.html", status=405)
        page["Allow"] = response["Allow"]
        return page
