"""The effects of an endpoint's declaration, independent of its view."""

from __future__ import annotations

from typing import Any

import pytest
import webtest
from pyramid.request import Request
from pyramid.response import Response

from masthead.core_plugin import plugin as core
from masthead.errors import Forbidden, Invalid, NotFound, Refused, Stale, StartError
from masthead.hookspecs import hookimpl
from masthead.http.endpoints import Endpoint, check_endpoints
from masthead.http.paging import Page
from masthead.http.permissions import PUBLIC, SIGNED_IN
from masthead.instance import Instance
from masthead.plugins import Plugin
from masthead.schemas.field_types import Bool, Int, Str
from masthead.schemas.schema import ListOf, Object, optional, required, schema
from masthead.tags.services import create_tag
from masthead.testing.client import Client

THING = schema({"id": required(Int())})
NAMED = schema({"name": required(Str(min_length=0))})
REFUSALS = {
    "invalid": Invalid("x"),
    "refused": Refused("x"),
    "forbidden": Forbidden("x"),
    "unknown": NotFound("x"),
    "stale": Stale("x"),
}


def show(request: Request) -> Any:
    return {"id": request.matchdict["id"], "secret": "never shown"}


def name(request: Request) -> Any:
    return {"name": request.matchdict["name"]}


def fixed(_request: Request) -> Any:
    return {"name": "!"}


def list_things(request: Request) -> Page:
    open_ = request.query.get("open")
    return Page([{"id": 1 if open_ else 2}], total=3)


def list_many(request: Request) -> Page:
    window = request.window
    return Page([{"id": n} for n in range(80)][window.offset :][: window.limit], total=80)


def ready(_request: Request) -> Response:
    return Response(b"<p>", content_type="text/html")


def tag_and_fail(request: Request) -> Any:
    create_tag(request.db, request.data["name"])
    request.db.flush()
    if request.data["name"] in REFUSALS:
        raise REFUSALS[request.data["name"]]
    return {"id": 1 // 0}


def tag_in_a_get(request: Request) -> Any:
    create_tag(request.db, "read")
    return {"id": 1}


def endpoint(
    name: str = "a.x", method: str = "GET", path: str = "/api/x", **options: Any
) -> Endpoint:
    """Return an endpoint, public by default."""
    plain = {"view": show, "permission": PUBLIC, "summary": "", "returns": THING}
    return Endpoint(name=name, method=method, path=path, **plain | options)


class Hooks:
    @hookimpl
    def masthead_routes(self) -> list[Endpoint]:
        query = schema({"open": optional(Bool(), nullable=False)})
        every = frozenset({400, 403, 404, 412})
        things = ListOf(Object(THING))
        return [
            endpoint("t.show", path="/api/things/{id}", view=show),
            endpoint("t.part", "DELETE", "/api/things/{id}/{part_id}", view=show),
            endpoint("t.named", path="/api/names/{name}", view=name, returns=NAMED),
            endpoint("t.fix", path="/api/names/fixed", view=fixed, returns=NAMED),
            endpoint(
                "t.list", path="/api/things", view=list_things, returns=things, query=query, page=50
            ),
            endpoint("t.many", path="/api/many", view=list_many, returns=things, page=50),
            endpoint("t.page", path="/page", view=ready, returns="text/html"),
            endpoint("t.tag", "POST", "/api/things", view=tag_and_fail, body=NAMED, refuses=every),
            endpoint("t.write", path="/api/write", view=tag_in_a_get),
            endpoint("t.own", path="/api/own", view=lambda _: {"id": 1}, permission=SIGNED_IN),
        ]


THINGS = Plugin(name="things", hooks=(Hooks(),))


@pytest.fixture
def plugins() -> list[Plugin]:
    return [core, THINGS]


def ask(app: Client, path: str, method: str = "GET", status: int = 200) -> Any:
    """Request a path without encoding it."""
    request = webtest.TestRequest.blank("/", app.extra_environ)
    request.method = method
    request.environ["PATH_INFO"] = path.encode().decode("latin-1")
    return app.do_request(request, status=status)


@pytest.mark.parametrize("sent", [1, 7, 10, 2**31, 2**63 - 1])
def test_an_id_is_a_positive_integer(app: Client, sent: int) -> None:
    assert ask(app, f"/api/things/{sent}").json == {"id": sent}


@pytest.mark.parametrize(
    "sent",
    ["0", "-1", "+1", "007", "01", "1e3", "1.0", "0x1", "1_0", " 1", "1 ", "1\n", "1\x00", "\x00",
     "x", "null", "true", str(2**63), "9" * 4000, "١", "１", "1%00", "²", "",  "1/", "nav-7"],
)  # fmt: skip
def test_anything_else_as_an_id_is_404(app: Client, sent: str) -> None:
    assert ask(app, f"/api/things/{sent}", status=404).json == {"error": "Not found"}


@pytest.mark.parametrize("sent", ["0", "007", "x"])
def test_every_id_in_a_path_is_validated(app: Client, sent: str) -> None:
    assert ask(app, "/api/things/1/2", "DELETE").json == {"id": 1}
    ask(app, f"/api/things/1/{sent}", "DELETE", 404)
    ask(app, f"/api/things/{sent}/1", "DELETE", 404)


@pytest.mark.parametrize("sent", ["a", "ä", "a b", "a%2Fb", "..", "<script>", "007", "😀"])
def test_other_parts_of_a_path_are_any_text(app: Client, sent: str) -> None:
    assert ask(app, f"/api/names/{sent}").json == {"name": sent}


def test_a_fixed_path_goes_before_a_pattern(app: Client) -> None:
    assert app.get("/api/names/fixed").json == {"name": "!"}


@pytest.mark.parametrize(
    "path", ["/api", "/api/", "/api/things/", "//api/things", "/api//things", "/API/things",
             "/api/things/1/", "/api/things/1/2", "/page/", "/api/names/a/b", "/api/names/"],
)  # fmt: skip
def test_another_path_is_404_with_or_without_a_token(app: Client, path: str) -> None:
    for client in (app, app.as_role("admin")):
        assert ask(client, path, status=404).json == {"error": "Not found"}


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "TRACE"])
def test_a_method_that_a_path_lacks_is_404(app: Client, method: str) -> None:
    for path in ("/api/things/1", "/api/own", "/page"):
        assert ask(app, path, method, 404).json == {"error": "Not found"}


def test_head_works_where_get_does(app: Client) -> None:
    for client, path in ((app, "/api/things"), (app, "/page"), (app.as_role("editor"), "/api/own")):
        get, head = client.get(path), client.head(path)

        skipped = {"X-Request-Id"}
        assert head.body == b""
        assert {n: v for n, v in head.headers.items() if n not in skipped} == {
            n: v for n, v in get.headers.items() if n not in skipped
        }
    app.head("/api/things/x", status=404)
    app.head("/api/own", status=401)


def test_answers_hold_declared_fields_only(app: Client) -> None:
    assert app.get("/api/things/1").json == {"id": 1}


def test_an_answer_may_be_ready_made(app: Client) -> None:
    answer = app.get("/page")

    assert (answer.content_type, answer.body) == ("text/html", b"<p>")


def test_a_list_has_the_length_that_its_links_tell(app: Client) -> None:
    answer = app.get("/api/many")

    assert len(answer.json) == 50
    assert "offset=50" in answer.headers["Link"]
    assert len(app.get("/api/many?limit=10&offset=75").json) == 5


def test_a_list_says_how_much_there_is(app: Client) -> None:
    answer = app.get("/api/things?limit=1&offset=1")

    assert answer.headers["X-Total-Count"] == "3"
    assert answer.headers["Link"].count("rel=") == 2


@pytest.mark.parametrize(
    ("query", "found"),
    [("open=1", 1), ("open=false&open=true", 1), ("", 2), ("open=", 2), ("open=1&open=", 2)],
)
def test_of_a_repeated_parameter_the_last_counts(app: Client, query: str, found: int) -> None:
    assert app.get(f"/api/things?{query}").json == [{"id": found}]


def test_only_an_ampersand_separates_parameters(app: Client) -> None:
    assert app.get("/api/things?a=1;open=1").json == [{"id": 2}]
    assert app.get("/api/things?&&open=1&&").json == [{"id": 1}]


@pytest.mark.parametrize("query", ["open=x", "open=true&open=x", "open=1%00", "limit=x"])
def test_a_parameter_that_makes_no_sense_is_refused_by_name(app: Client, query: str) -> None:
    answer = app.get(f"/api/things?{query}", status=400)

    assert answer.json["error"].startswith(query.partition("=")[0] + ": Must")


def test_a_public_answer_has_an_etag_and_is_answered_with_304(app: Client) -> None:
    first = app.get("/api/things")
    etag = first.headers["ETag"]

    assert first.headers["Cache-Control"] == "no-cache"
    for asked in (etag, f"W/{etag}", f'"other", {etag}', "*"):
        again = app.get("/api/things", headers={"If-None-Match": asked}, status=304)
        assert again.body == b""
        assert again.headers["ETag"] == etag
        assert again.headers["X-Total-Count"] == "3"
        app.head("/api/things", headers={"If-None-Match": asked}, status=304)
    assert app.get("/api/things", headers={"If-None-Match": '"other"'}).body == first.body


def test_a_token_of_any_sort_changes_nothing_in_public(app: Client) -> None:
    plain = app.get("/api/things")

    for header in ("Bearer nonsense", "Bearer", "Basic eDp5", "\xff"):
        answer = app.get("/api/things", headers={"Authorization": header})
        assert (answer.body, answer.headers["ETag"]) == (plain.body, plain.headers["ETag"])


def test_an_authenticated_endpoint_needs_a_token_and_is_never_cached(app: Client) -> None:
    assert app.get("/api/own", status=401).json == {"error": "Unauthorized"}

    answer = app.as_role("editor").get("/api/own")
    assert answer.headers["Cache-Control"] == "no-store"
    assert "ETag" not in answer.headers


def test_a_refusal_rolls_the_transaction_back(app: Client) -> None:
    for tag, refusal in REFUSALS.items():
        answer = app.post_json("/api/things", {"name": tag}, status=refusal.status)
        assert answer.json == {"error": "x"}

    assert app.get("/api/tags").json == []


def test_an_exception_rolls_the_transaction_back(app: Client) -> None:
    answer = app.post_json("/api/things", {"name": "kept?"}, status=500)

    assert answer.json["error"].startswith("Internal server error")
    assert app.get("/api/tags").json == []


def test_a_get_cannot_write(app: Client) -> None:
    app.get("/api/write", status=500)

    assert app.get("/api/tags").json == []


def test_statuses_follow_from_the_declaration(instance: Instance) -> None:
    del instance
    found = {e.name: e.statuses for e in Hooks().masthead_routes()}

    assert found["t.show"] == [200, 304, 404]
    assert found["t.list"] == [200, 304, 400]
    assert found["t.page"] == [200]
    assert found["t.tag"] == [200, 400, 403, 404, 412]
    assert found["t.own"] == [200, 401]


def test_two_endpoints_of_one_method_and_path_stop_the_start() -> None:
    for path, other in (("/api/x", "/api/x"), ("/api/x/{id}", "/api/x/{slug}")):
        owned = [("news", endpoint("news.x", path=path)), ("events", endpoint("b", path=other))]

        with pytest.raises(StartError) as error:
            check_endpoints(owned)

        declared = f"news and events both declare GET {other} (b)"
        assert str(error.value) == f"{declared}; rename it in events"


def test_two_endpoints_of_one_name_stop_the_start() -> None:
    with pytest.raises(StartError, match=r"^news and events both declare GET /api/y \(x\);"):
        check_endpoints([("news", endpoint("x")), ("events", endpoint("x", path="/api/y"))])


@pytest.mark.parametrize("path", ["/a/{id:[0-9]+}", "/a/{b", "/a/b}", "/a/{}", "/a/{{b}}"])
def test_braces_that_are_no_placeholder_stop_the_start(path: str) -> None:
    with pytest.raises(StartError, match=r"^plugin news: GET /a/.* \(a\.x\): braces of a path"):
        check_endpoints([("news", endpoint(path=path))])


@pytest.mark.parametrize(
    ("method", "path", "message"),
    [
        ("get", "/a", "the method is one of GET, POST, PUT, PATCH, DELETE, in capitals"),
        ("GET", "a", "the path begins with a slash"),
        ("GET", "/a?b=1", "the path has neither a query nor blanks"),
        ("GET", "/a/{id}/b/{id}", "each placeholder of a path has a name of its own"),
    ],
)
def test_an_endpoint_that_no_request_reaches_stops_the_start(
    method: str, path: str, message: str
) -> None:
    with pytest.raises(StartError) as error:
        check_endpoints([("news", endpoint("a", method, path=path))])

    assert message in str(error.value)


def test_one_path_may_take_several_methods() -> None:
    owned = [("news", endpoint("a")), ("news", endpoint("b", "POST"))]

    assert len(check_endpoints(owned)) == 2
