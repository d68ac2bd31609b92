"""Declarations of endpoints, from which route, checks, response and OpenAPI are derived."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from functools import cached_property
from types import ModuleType
from typing import Any, Required, TypedDict, Unpack

import colander
from pyramid.response import Response

from masthead.faults import refusal
from masthead.http.form_posts import FormAnswer
from masthead.http.paging import paging_fields
from masthead.http.permissions import PUBLIC, SIGNED_IN
from masthead.http.pools import POOLS, Pool
from masthead.http.request import Request
from masthead.http.revisions import CHANGING, ETAG
from masthead.http.uploads import FileField
from masthead.plugins import check_unique
from masthead.schemas.field_types import FieldType, Str
from masthead.schemas.schema import Schema, extended, optional
from masthead.settings import Setting

PLACEHOLDER = re.compile(r"\{(\w+)\}")
"""A placeholder in the path of an endpoint, such as ``{id}``."""

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
"""The methods that an endpoint may have."""

REDIRECTS = frozenset({301, 302, 303, 307, 308})
"""The statuses of a response that leads to another address."""

View = Callable[[Request], Any]
RefusalPage = Callable[[Request, int, str], Response]
_ETAG_HELP = (
    "The revision that the client has read, instead of the header If-Match; another one is refused."
)
_HIDDEN = "{token}"


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """One operation of the REST interface."""

    name: str
    """``<plugin>.<operation>``, unique: the route's name and the operationId."""
    method: str
    """The HTTP method in capitals; a ``GET`` endpoint answers ``HEAD`` too."""
    path: str
    """The address as a pattern: ``{id}`` and ``{…_id}`` match a positive integer, ``{token}`` at
    the end matches a secret that is kept out of logs, other placeholders match any text."""
    view: View
    """Takes the request, whose ``data`` (the body), ``query`` and, for a paged list, ``window`` are
    already checked; returns a value that ``returns`` describes, or a Response."""
    permission: str
    """``PUBLIC``, ``SIGNED_IN`` or the name of a declared permission."""
    also_needs: tuple[str, ...] = ()
    """The names of further permissions that the caller needs; ``permission`` names one, too."""
    needs_login: bool = False
    """Whether only a user who has logged in may call it, not a program with a credential of its
    own, such as an API token."""
    token: Setting[str] | None = None
    """A setting with a token that a client may send instead of that of a user, for programs that
    watch the instance; while the setting is blank, there is none."""
    returns: colander.SchemaNode | FieldType | str
    """The schema of the response, or the media type of a response that isn't JSON."""
    summary: str = ""
    """One line for the OpenAPI document; by default the first line of the view's docstring."""
    description: str = ""
    """Further information for clients in Markdown, for the OpenAPI document; by default the further
    paragraphs of the view's docstring."""
    path_help: Mapping[str, str] = dataclass_field(default_factory=dict, hash=False)
    """The meaning of placeholders in the path, for the OpenAPI document."""
    query: colander.SchemaNode | None = None
    """The schema of the query parameters, without those of paging; others are ignored."""
    body: colander.SchemaNode | None = None
    """The schema of the JSON body; None for an endpoint without one."""
    raw_body: int | None = None
    """The maximum number of bytes of a body that the view gets unchanged, as ``request.raw``, for
    example to check a signature; ``body`` is then None."""
    raw_type: str = "application/json"
    """The media type of a raw body, for the OpenAPI document; the view checks it."""
    upload: FileField | None = None
    """The file that it accepts. The body is then a form, whose other fields ``body`` declares, and
    the view gets the file as ``request.upload``."""
    form: FormAnswer | None = None
    """Accept the post of an HTML form without a file as well as JSON. Return the response to such a
    post; use ``masthead.form_answer``."""
    html: bool = False
    """Whether it also answers with a page of HTML, to browsers."""
    page: int | None = None
    """For a paged list: the default limit."""
    keep: bool | None = None
    """Whether the response to a public GET is cached in memory until content or settings change;
    it may depend on nothing else. By default JSON is cached and other media types are not."""
    max_age: Setting[int] | None = None
    """A setting with the seconds for which clients may keep the response to a cached ``GET``
    without asking again; while it is 0, they ask each time."""
    status: int = 200
    """The status of the view's response, such as 302 for a Response that leads elsewhere."""
    refuses: frozenset[int] = frozenset()
    """Statuses in addition to those that follow from the declaration."""
    refusal_page: RefusalPage | None = None
    """Return the response to a refused request, with the status and the message, as a page of HTML;
    for links that persons open, such as those in mails. By default it is JSON."""
    failure: str = ""
    """The message of a 500 response; blank for a general one."""
    pool: Pool | None = None
    """The threads that answer it. By default ``uploads`` if it accepts a file, otherwise ``reads``
    for ``GET`` and ``writes`` for other methods. An endpoint that hashes a password needs
    ``passwords``, and one that scales images ``renditions``."""
    query_pool: Pool | None = None
    """The threads that answer requests with a query, if these take longer than others."""

    def __post_init__(self) -> None:
        """Take missing texts from the view's docstring, and let changes name a revision."""
        first, further = _documented(self.view)
        object.__setattr__(
            self, "description", self.description or (further if not self.summary else "")
        )
        object.__setattr__(self, "summary", self.summary or first)
        if self.method in CHANGING and self.body is not None and ETAG not in self.body:
            body = extended(
                self.body,
                {ETAG: optional(Str(), help=_ETAG_HELP, example="3")},
                name=self.body.type_name,
                help=self.body.description,
            )
            object.__setattr__(self, "body", body)

    def __call__(self, request: Request) -> Any:
        """Call the view."""
        return self.view(request)

    @property
    def permissions(self) -> tuple[str, ...]:
        """All permissions that the caller needs."""
        named = self.permission not in (PUBLIC, SIGNED_IN)
        return (*((self.permission,) if named else ()), *self.also_needs)

    @property
    def is_closed(self) -> bool:
        """Whether the caller needs to be logged in."""
        return self.permission != PUBLIC

    @cached_property
    def statuses(self) -> list[int]:
        """All statuses of its responses, except 500."""
        statuses = {self.status, *self.refuses}
        read = (self.body, self.raw_body, self.upload, self.query, self.page)
        if any(each is not None for each in read):
            statuses.add(400)
        if self.method in CHANGING:
            statuses |= {400, 412}
        if self.form is not None:
            statuses.add(303)
        if self.takes_key:
            statuses.add(400)
        if self.permission != PUBLIC:
            statuses.add(401)
        if self.permissions or self.needs_login:
            statuses.add(403)
        if "{" in self.path:
            statuses.add(404)
        if self.cacheable:
            statuses.add(304)
        return sorted(statuses)

    @property
    def thread_pool(self) -> Pool:
        """The threads that answer requests without a query."""
        if self.pool is not None:
            return self.pool
        if self.upload is not None:
            return "uploads"
        return "reads" if self.method == "GET" else "writes"

    @property
    def has_pages(self) -> bool:
        """Whether some of its responses are HTML instead of JSON."""
        return self.html or self.form is not None

    @property
    def takes_key(self) -> bool:
        """Whether a repeated request with an ``Idempotency-Key`` gets the first one's answer."""
        is_json = not isinstance(self.returns, str) and self.raw_body is None
        return self.method == "POST" and self.permission != PUBLIC and is_json

    @property
    def cacheable(self) -> bool:
        """Whether its responses have an entity tag and are cached until content changes."""
        if self.permission != PUBLIC or self.method != "GET":
            return False
        return not isinstance(self.returns, str) if self.keep is None else self.keep

    @cached_property
    def parameters(self) -> colander.SchemaNode:
        """The query parameters that it accepts."""
        node = self.query.clone() if self.query is not None else Schema()
        if self.page is not None:
            for field in paging_fields():
                node.add(field)
        return node


class Declaration(TypedDict, total=False):
    """The keyword arguments of :func:`endpoint`; :class:`Endpoint` documents each."""

    name: Required[str]
    permission: Required[str]
    also_needs: tuple[str, ...]
    needs_login: bool
    token: Setting[str] | None
    returns: Required[colander.SchemaNode | FieldType | str]
    summary: str
    description: str
    path_help: Mapping[str, str]
    query: colander.SchemaNode | None
    body: colander.SchemaNode | None
    raw_body: int | None
    raw_type: str
    upload: FileField | None
    form: FormAnswer | None
    html: bool
    page: int | None
    keep: bool | None
    max_age: Setting[int] | None
    status: int
    refuses: frozenset[int]
    refusal_page: RefusalPage | None
    failure: str
    pool: Pool | None
    query_pool: Pool | None


def endpoint(method: str, path: str, **declared: Unpack[Declaration]) -> Callable[[View], Endpoint]:
    """Declare the decorated view as an endpoint.

    :param method: see :attr:`Endpoint.method`.
    :param path: see :attr:`Endpoint.path`.
    :param declared: the other attributes of :class:`Endpoint`.
    """

    def declare(view: View) -> Endpoint:
        return Endpoint(method=method, path=path, view=view, **declared)

    return declare


def endpoints_in(*modules: ModuleType) -> list[Endpoint]:
    """Return the endpoints that modules declare, in source order."""
    return [
        each for module in modules for each in vars(module).values() if isinstance(each, Endpoint)
    ]


def _documented(view: View) -> tuple[str, str]:
    """Return the first line of a view's docstring, and its further paragraphs."""
    first, _, rest = (inspect.getdoc(view) or "").partition("\n")
    paragraphs = rest.partition("\n:")[0].strip().split("\n\n")
    return first.rstrip("."), "\n\n".join(" ".join(each.split()) for each in paragraphs)


def check_endpoints(owned: Sequence[tuple[str, Endpoint]]) -> list[Endpoint]:
    """Check endpoints for conflicts that Pyramid would hide, and sort fixed paths before patterns.

    :param owned: pairs of the declaring plugin's name and the endpoint.
    :raises StartError: for two endpoints with the same name, or the same method and path, for
        an endpoint that no request reaches, and for an unknown pool.
    """
    for owner, endpoint in owned:
        if wrong := _mistake(endpoint):
            raise refusal(owner, f"{describe_endpoint(endpoint)}: {wrong}")
    check_unique(owned, lambda endpoint: endpoint.name, describe_endpoint)
    endpoints = check_unique(owned, address_of, describe_endpoint)
    # Pyramid tries patterns one after the other, so the public ones come first.
    return sorted(endpoints, key=lambda e: ("{" in e.path, e.permission != PUBLIC))


def _mistake(endpoint: Endpoint) -> str | None:
    """Return why no request would reach an endpoint; None if one can."""
    if endpoint.method not in METHODS:
        return f"the method is one of {', '.join(METHODS)}, in capitals"
    if not {endpoint.pool, endpoint.query_pool} <= {None, *POOLS}:
        return f"the pools are {', '.join(POOLS)}"
    return _mistake_in_path(endpoint.path)


def _mistake_in_path(path: str) -> str | None:
    names = PLACEHOLDER.findall(path)
    if not path.startswith("/"):
        return "the path begins with a slash"
    if re.search(r"[?#\s]", path):
        return "the path has neither a query nor blanks; declare parameters with query="
    if re.search("[{}]", PLACEHOLDER.sub("", path)):
        return "braces of a path hold a name and nothing else"
    if len(set(names)) < len(names):
        return "each placeholder of a path has a name of its own"
    return None


def address_of(endpoint: Endpoint) -> tuple[str, str]:
    """Return method and path, with the names of placeholders removed."""
    return endpoint.method, PLACEHOLDER.sub("{}", endpoint.path)


def is_id(name: str) -> bool:
    """Whether a placeholder with this name matches a positive integer."""
    return name == "id" or name.endswith("_id")


def describe_endpoint(endpoint: Endpoint) -> str:
    """Return the method, the path and the name of an endpoint, for messages."""
    return f"{endpoint.method} {endpoint.path} ({endpoint.name})"


def secret_paths(endpoints: Iterable[Endpoint]) -> tuple[str, ...]:
    """Return the prefixes of paths that end with a secret, see ``Endpoint.path``."""
    starts = {each.path.partition(_HIDDEN)[0] for each in endpoints if _HIDDEN in each.path}
    return tuple(sorted(starts))
