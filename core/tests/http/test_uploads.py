"""Forms with a file: the accepted ones and the refused ones."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openapi_spec_validator import OpenAPIV31SpecValidator, validate
from pyramid.request import Request
from webtest.app import TestRequest
from webtest.forms import Upload as Sent

from masthead import (
    PUBLIC,
    SIGNED_IN,
    Choice,
    Endpoint,
    FileField,
    Int,
    Plugin,
    Setting,
    Str,
    hookimpl,
    integer,
    optional,
    required,
    schema,
)
from masthead.testing.client import Client

MOST = 3 * 1024 * 1024
MAX_BODY = Setting("masthead.desk.max_body", integer(1, 2**30), str(MOST), "Bytes.")
FILE = FileField(MAX_BODY, accepts=("text/csv", "text/plain"))
PRINTED = FileField(1000, accepts=("application/pdf", "image/x-own"), begins=(b"%PDF-", b"OWN"))
SEEN: dict[str, Any] = {}


def weigh(request: Request) -> Any:
    upload = request.upload
    SEEN["file"] = upload.file
    size = sum(len(piece) for piece in iter(lambda: upload.file.read(65536), b""))
    assert size == upload.size
    return {
        "size": size,
        "filename": upload.filename,
        "mediaType": upload.media_type,
        "charset": request.data.get("charset", "-"),
        "rows": request.data.get("rows", 0),
    }


def apply(request: Request) -> Any:
    name = request.upload.filename if request.upload is not None else "nothing"
    return {"size": 0, "filename": name, "mediaType": "-", "charset": "-", "rows": 1}


def stumble(request: Request) -> Any:
    raise OSError(f"no room for {request.upload.filename}")


ANSWER = schema(
    {
        "size": required(Int()),
        "filename": required(Str()),
        "mediaType": required(Str()),
        "charset": required(Str()),
        "rows": required(Int()),
    }
)
BODY = schema(
    {
        "charset": optional(Choice("utf-8", "cp1252"), nullable=False),
        "rows": optional(Int(0, 10), nullable=False),
    }
)


def endpoint(name: str, **options: Any) -> Endpoint:
    plain = {"view": weigh, "permission": PUBLIC, "summary": "", "returns": ANSWER, "body": BODY}
    path = f"/api/desk/{name}"
    given = plain | options
    return Endpoint(name=f"desk.{name}", method="POST", path=path, **{"upload": FILE} | given)


class Hooks:
    @hookimpl
    def masthead_settings(self) -> list[Setting[Any]]:
        return [MAX_BODY]

    @hookimpl
    def masthead_routes(self) -> list[Endpoint]:
        return [
            endpoint("weigh"),
            endpoint("closed", permission=SIGNED_IN),
            endpoint("stumble", view=stumble, failure="Failed to weigh"),
            endpoint("apply", view=apply, upload=FileField(MAX_BODY, required=False)),
            endpoint("print", upload=PRINTED),
        ]


DESK = Plugin(name="desk", hooks=(Hooks(),))


@pytest.fixture
def plugins() -> list[Plugin]:
    return [DESK]


def part(name: str, content: bytes = b"", filename: str | None = None, head: bytes = b"") -> bytes:
    disposition = f'Content-Disposition: form-data; name="{name}"'.encode()
    if filename is not None:
        disposition += b'; filename="' + filename.encode() + b'"'
    return disposition + b"\r\n" + head + b"\r\n" + content


def form(*parts: bytes) -> bytes:
    return b"".join(b"--cut\r\n" + each + b"\r\n" for each in parts) + b"--cut--\r\n"


KIND = "multipart/form-data; boundary=cut"


def send(app: Client, body: bytes, kind: str = KIND, path: str = "weigh", **options: Any) -> Any:
    headers = {"Content-Type": kind, **options.pop("headers", {})}
    return app.request(f"/api/desk/{path}", method="POST", body=body, headers=headers, **options)


def test_a_file_of_another_type_is_refused(app: Client) -> None:
    for content in (b"%PDF-1.7", b"OWN 1"):
        answer = send(app, form(part("file", content, "a.bin")), path="print").json
        assert answer["size"] == len(content)

    for content in (b"", b"%PD", b" %PDF-1.7", b"MZ"):
        refused = send(app, form(part("file", content, "a.pdf")), path="print", status=400).json
        assert refused["error"] == "file: Must be application/pdf or image/x-own"
        assert [(it["path"], it["code"]) for it in refused["fields"]] == [("file", "wrong_form")]
    long = send(app, form(part("file", b"%PDF-" * 200, "a.pdf")), path="print", status=400).json
    assert long["error"] == "The body has more than 1000 bytes"


def test_a_file_may_be_optional(app: Client) -> None:
    rows, chosen = part("rows", b"1"), part("file", b"a;b", "cv.csv")
    for parts, name in (([rows], "nothing"), ([rows, part("file", b"", "")], "nothing")):
        assert send(app, form(*parts), path="apply").json["filename"] == name
    assert send(app, form(rows, chosen), path="apply").json["filename"] == "cv.csv"

    for parts in ([part("file", b"no file")], [chosen, chosen], [rows, rows]):
        send(app, form(*parts), path="apply", status=400)
    send(app, b"{}", kind="application/json", path="apply", status=400)
    described = app.get("/openapi.json").json["paths"]["/api/desk/apply"]["post"]
    [form_of] = described["requestBody"]["content"].values()
    assert "file" not in form_of["schema"].get("required", [])


def test_the_view_gets_the_file_and_the_fields_beside_it(app: Client) -> None:
    sent = {
        "file": Sent("prices.csv", b"a;b\r\n" * 9, "text/csv"),
        "charset": "cp1252",
        "rows": "7",
    }

    answer = app.post("/api/desk/weigh", sent)

    assert answer.json == {
        "size": 45,
        "filename": "prices.csv",
        "mediaType": "text/csv",
        "charset": "cp1252",
        "rows": 7,
    }
    assert SEEN["file"].closed


def test_the_fields_of_a_form_are_checked_like_any_others(app: Client) -> None:
    file = part("file", b"x", "x")

    assert "charset" in send(app, form(file, part("charset", b"latin")), status=400).json["error"]
    assert "rows" in send(app, form(file, part("rows", b"11")), status=400).json["error"]
    assert "rows" in send(app, form(file, part("rows", b"seven")), status=400).json["error"]
    assert "UTF-8" in send(app, form(file, part("rows", b"\xff")), status=400).json["error"]
    assert send(app, form(file, part("colour", b"red"))).json["size"] == 1


def test_the_name_of_a_file_may_be_anything(app: Client) -> None:
    for name in ("Grüße aus der Kuppel (1) 📷.jpeg", "../../etc/passwd", "a" * 200, "'; DROP--"):
        answer = send(app, form(part("file", b"x", name)))
        assert answer.json["filename"] == name
    latin = part("file", b"x", "y").replace(b'"y"', b'"Gr\xfc\xdfe.csv"')
    assert send(app, form(latin)).json["filename"] == "Gr\ufffd\ufffde.csv"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        form(),
        form(part("file", b"text that is no file")),
        form(part("file", b"", "")),
        form(part("picture", b"x", "x")),
    ],
)
def test_without_a_file_there_is_nothing_to_do(app: Client, body: bytes) -> None:
    answer = send(app, body, status=400)

    assert answer.json["error"] in (
        "No file provided",
        "The body is broken off, or is no multipart/form-data",
    )


@pytest.mark.parametrize("kind", ["application/json", "text/plain", "", "multipart/mixed"])
def test_a_body_that_is_no_form_has_no_file(app: Client, kind: str) -> None:
    answer = send(app, form(part("file", b"x", "x")), kind, status=400)

    assert answer.json["error"] == "No file provided"


FILE_PART = part("file", b"x" * 1000, "x")
BROKEN = {
    "cut in the file": form(FILE_PART)[:500],
    "cut before the last boundary": form(FILE_PART)[:-9],
    "cut in a head": form(FILE_PART)[:30],
    "two files": form(FILE_PART, FILE_PART),
    "a field twice": form(FILE_PART, part("rows", b"1"), part("rows", b"2")),
    "very many parts": form(*[part(f"f{n}", b"x") for n in range(20_000)], FILE_PART),
    "very many empty parts": form(*[b"" for _ in range(20_000)]),
    "a head without end": b"--cut\r\n" + b"X-A: " + b"a" * 1_000_000,
    "very many heads": form(part("file", b"x", "x", b"X-A: 1\r\n" * 10_000)),
    "a long field": form(FILE_PART, part("rows", b"1" * 70_000)),
    "a head without a name": form(b"Content-Disposition: form-data\r\n\r\nx"),
    "a head that is none": form(b"\xff\xfe\x00\r\n\r\nx"),
    "no form at all": b"\x89PNG\r\n\x1a\n" + bytes(1000),
    "too much": form(part("file", b"x" * MOST, "x")),
}


@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN)
def test_an_incomplete_or_oversized_form_is_refused(app: Client, body: bytes) -> None:
    send(app, body, status=400)


@pytest.mark.parametrize(
    "kind", ["multipart/form-data", f"{KIND}x", "multipart/form-data; boundary=" + "c" * 9000]
)
def test_a_boundary_that_is_missing_or_another_is_refused(app: Client, kind: str) -> None:
    send(app, form(FILE_PART), kind, status=400)


def test_a_body_that_stops_before_its_end_is_refused(app: Client) -> None:
    body = form(FILE_PART)

    for said in (len(body) + 5, len(body) - 50):
        request = TestRequest.blank("/api/desk/weigh", POST=body, headers={"Content-Type": KIND})
        request.environ["CONTENT_LENGTH"] = str(said)
        app.do_request(request, status=400)


def test_the_largest_body_is_taken_and_a_byte_more_is_not(app: Client) -> None:
    room = MOST - len(form(part("file", b"", "x")))

    assert send(app, form(part("file", b"x" * room, "x"))).json["size"] == room
    answer = send(app, form(part("file", b"x" * (room + 1), "x")), status=400)
    assert str(MOST) in answer.json["error"]


def test_a_missing_permission_is_reported_before_the_body_is_read(app: Client) -> None:
    for body in (b"", BROKEN["too much"], BROKEN["two files"]):
        send(app, body, path="closed", status=401)


def test_a_fault_is_told_in_the_endpoints_words(app: Client) -> None:
    answer = send(app, form(FILE_PART), path="stumble", status=500)

    assert answer.json == {"error": "Failed to weigh"}


def test_memory_holds_little_of_a_large_file(app: Client) -> None:
    body = form(part("file", b"x" * (MOST - 1000), "x"))
    send(app, body)

    tracemalloc.start()
    send(app, body)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < MOST / 2


@settings(max_examples=60)
@given(content=st.binary(max_size=300), noise=st.binary(max_size=80), at=st.integers(0, 400))
def test_any_file_is_received_unchanged_and_random_bytes_are_no_fault(
    app: Client, content: bytes, noise: bytes, at: int
) -> None:
    if b"--cut" not in content:
        assert send(app, form(part("file", content, "x"))).json["size"] == len(content)
    body = form(part("rows", b"3"), part("file", content, "x"))
    send(app, body[:at] + noise + body[at:], status="*")


def test_the_document_describes_the_form(app: Client) -> None:
    document = app.get("/openapi.json").json
    validate(document, cls=OpenAPIV31SpecValidator)

    operation = document["paths"]["/api/desk/weigh"]["post"]
    described = operation["requestBody"]["content"]["multipart/form-data"]
    name = described["schema"]["$ref"].removeprefix("#/components/schemas/")
    form = document["components"]["schemas"][name]
    assert form["required"] == ["file"]
    assert list(form["properties"]) == ["charset", "rows", "file"]
    assert described["encoding"] == {"file": {"contentType": "text/csv, text/plain"}}
    assert "400" in operation["responses"]
