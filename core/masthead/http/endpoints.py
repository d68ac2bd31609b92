"""Endpoints: one declaration each, from which route, checks, answer and OpenAPI follow."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any, Required, TypedDict, Unpack

import colander

from masthead.errors import StartError
from masthead.http.paging import paging_fields
from masthead.http.permissions import PUBLIC, SIGNED_IN
from masthead.http.request import Request
from masthead.http.uploads import FileField
from masthead.plugins import check_unique
from masthead.schemas.field_types import FieldType
from masthead.schemas.schema import Schema

PLACEHOLDER = re.compile(r"\{(\w+)\}")
"""A placeholder in the path of an endpoint, such as ``{id}``."""

View = Callable[[Request], Any]
_HIDDEN = "{token}"


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """One operation of the REST interface."""

    name: str
    """``<plugin>.<operation>``, unique: the route's name and the operationId."""
    method: str
    """The HTTP method in capitals; a ``GET`` endpoint answers ``HEAD`` too."""
    path: str
    """The address as a pattern: ``{id}`` and ``{…_id}`` stand for a positive integer, ``{token}``
    at the end for a secret that no log shows, others for any text."""
    view: View
    """Gets the request with ``request.data`` (the body), ``request.query`` and, for a list that is
    paged, ``request.window``, all checked; returns what ``returns`` describes, or a Response that
    is ready."""
    permission: str
    """``PUBLIC``, ``SIGNED_IN`` or the name of a declared permission."""
    returns: colander.SchemaNode | FieldType | str
    """The schema of the answer, or the media type of an answer that isn't JSON."""
    summary: str = ""
    """One line for the OpenAPI document; by default the first line of the view's docstring."""
    query: colander.SchemaNode | None = None
    body: colander.SchemaNode | None = None
    upload: FileField | None = None
    """The file that it takes: the body is a form then, whose other fields ``body`` declares, and
    the view finds the file as ``request.upload``."""
    page: int | None = None
    """For a list that is paged: the limit where none is asked for."""
    keep: bool | None = None
    """Whether a public GET's answer is kept in memory until content or settings change, which is
    all that it may depend on; where nothing is said, JSON is and everything else isn't."""
    refuses: frozenset[int] = frozenset()
    """Statuses beyond those that follow from the declaration."""
    failure: str = ""
    """What the client reads where a fault of ours fails the request; a general text where blank."""

    def __post_init__(self) -> None:
        """Take the summary from the view's docstring where none is given."""
        object.__setattr__(self, "summary", self.summary or _first_line(self.view))

    def __call__(self, request: Request) -> Any:
        """Return what the view returns."""
        return self.view(request)

    @cached_property
    def statuses(self) -> list[int]:
        """Every status that it answers with, 500 excepted."""
        statuses = {200, *self.refuses}
        if any(each is not None for each in (self.body, self.upload, self.query, self.page)):
            statuses.add(400)
        if self.permission != PUBLIC:
            statuses.add(401)
        if self.permission not in (PUBLIC, SIGNED_IN):
            statuses.add(403)
        if "{" in self.path:
            statuses.add(404)
        if self.cacheable:
            statuses.add(304)
        return sorted(statuses)

    @property
    def cacheable(self) -> bool:
        """Whether its answers carry an entity tag, and are kept as long as no content changes."""
        if self.permission != PUBLIC or self.method != "GET":
            return False
        return not isinstance(self.returns, str) if self.keep is None else self.keep

    @cached_property
    def parameters(self) -> colander.SchemaNode:
        """The query parameters it knows."""
        node = self.query.clone() if self.query is not None else Schema()
        if self.page is not None:
            for field in paging_fields():
                node.add(field)
        return node


class Declaration(TypedDict, total=False):
    """The keyword arguments of :func:`endpoint`; :class:`Endpoint` documents each."""

    name: Required[str]
    permission: Required[str]
    returns: Required[colander.SchemaNode | FieldType | str]
    summary: str
    query: colander.SchemaNode | None
    body: colander.SchemaNode | None
    upload: FileField | None
    page: int | None
    keep: bool | None
    refuses: frozenset[int]
    failure: str


def endpoint(method: str, path: str, **declared: Unpack[Declaration]) -> Callable[[View], Endpoint]:
    """Declare a view as an endpoint, right where the view is written.

    :param method: as :attr:`Endpoint.method`.
    :param path: as :attr:`Endpoint.path`.
    :param declared: the other attributes of :class:`Endpoint`.
    """

    def declare(view: View) -> Endpoint:
        return Endpoint(method=method, path=path, view=view, **declared)

    return declare


def endpoints_in(*modules: ModuleType) -> list[Endpoint]:
    """Return the endpoints that modules declare, in the order in which they are written."""
    return [
        each for module in modules for each in vars(module).values() if isinstance(each, Endpoint)
    ]


def _first_line(view: View) -> str:
    return (inspect.getdoc(view) or "").partition("\n")[0].rstrip(".")


def check_endpoints(owned: Sequence[tuple[str, Endpoint]]) -> list[Endpoint]:
    """Refuse what Pyramid would silently hide, and put fixed paths before patterns.

    :param owned: pairs of the declaring plugin's name and the endpoint.
    :raises StartError: for two endpoints with one name, or one method and path, and for braces that
        are no placeholder.
    """
    for _, endpoint in owned:
        if re.search("[{}]", PLACEHOLDER.sub("", endpoint.path)):
            raise StartError(
                f"{_describe(endpoint)}: braces of a path hold a name and nothing else"
            )
    check_unique(owned, lambda endpoint: endpoint.name, _describe)
    endpoints = check_unique(owned, _address, _describe)
    # Patterns are tried one after the other, so what visitors ask for comes first.
    return sorted(endpoints, key=lambda e: ("{" in e.path, e.permission != PUBLIC))


def _address(endpoint: Endpoint) -> tuple[str, str]:
    """Method and path, whatever the path's patterns are called."""
    return endpoint.method, PLACEHOLDER.sub("{}", endpoint.path)


def is_id(name: str) -> bool:
    """Whether a placeholder of this name stands for a positive integer."""
    return name == "id" or name.endswith("_id")


def _describe(endpoint: Endpoint) -> str:
    return f"{endpoint.method} {endpoint.path} ({endpoint.name})"


def secret_paths(endpoints: Iterable[Endpoint]) -> tuple[str, ...]:
    """Beginnings of paths whose rest is a secret, see ``Endpoint.path``."""
    starts = {each.path.partition(_HIDDEN)[0] for each in endpoints if _HIDDEN in each.path}
    return tuple(sorted(starts))
