"""Staff upload images, which are stored once, list them and describe them."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from webtest.forms import Upload

from masthead import Instance, User
from masthead.testing import Client, Clock

UPLOAD, SUBMIT = "/api/staff/upload/image", "/api/ycs/upload/image"
LIST = "/api/staff/images"
KEY = re.compile(r"images/[0-9]{13}-[0-9a-f]{32}\.(png|jpg|webp|gif)")
Picture = Callable[..., bytes]


@pytest.mark.parametrize(
    ("form", "media_type", "extension"),
    [
        ("JPEG", "image/jpeg", "jpg"),
        ("PNG", "image/png", "png"),
        ("WEBP", "image/webp", "webp"),
        ("GIF", "image/gif", "gif"),
    ],
)
def test_an_image_is_stored_listed_and_served(
    picture: Picture,
    form: str,
    media_type: str,
    extension: str,
    upload: Any,
    editor: Client,
    app: Client,
) -> None:
    content = picture(form)

    answer = upload(content, "page.html", "text/html")

    assert KEY.fullmatch(answer["key"])
    assert answer["key"].endswith(f".{extension}")
    assert answer["url"] == f"/api/images/{answer['key']}"
    assert answer["filename"] == answer["key"].removeprefix("images/")
    assert answer["duplicate"] is False
    [listed] = editor.get(LIST).json
    assert {name: listed[name] for name in ("key", "url", "filename")} == {
        name: answer[name] for name in ("key", "url", "filename")
    }
    assert (listed["contentType"], listed["width"], listed["height"]) == (media_type, 40, 30)
    assert listed["altText"] is None
    served = app.get(answer["url"])
    assert served.content_type == media_type
    assert len(served.body) == listed["size"]


def test_a_user_who_uploaded_an_image_is_disabled_and_not_deleted(
    picture: Picture, app: Client, make_user: Callable[..., User]
) -> None:
    ada = make_user("ada")
    app.as_user(ada).post(UPLOAD, {"file": Upload("a.png", picture("PNG"), "image/png")})

    admin = app.as_role("admin")
    admin.delete(f"/api/staff/users/{ada.id}")

    assert admin.get(f"/api/staff/users/{ada.id}").json["disabled"] is True


def test_the_key_tells_when_it_was_uploaded(
    picture: Picture, clock: Clock, upload: Any, editor: Client
) -> None:
    clock.move_to("2026-03-01T09:30:00.123Z")

    answer = upload(picture())

    assert answer["filename"].startswith("1772357400123-")
    assert editor.get(LIST).json[0]["uploadedAt"] == "2026-03-01T09:30:00.123Z"


def test_the_same_bytes_are_stored_once(
    picture: Picture, upload: Any, editor: Client, kept: Any
) -> None:
    first = upload(picture())

    again = upload(picture(), "other.jpg", "image/jpeg")

    assert again == first | {"duplicate": True}
    assert len(editor.get(LIST).json) == 1
    assert kept() == [first["key"]]
    assert upload(picture(seed=2))["duplicate"] is False


def test_an_image_whose_bytes_are_missing_gets_them_back(
    picture: Picture, upload: Any, app: Client, editor: Client, instance: Instance
) -> None:
    first = upload(picture())
    before, listed = app.get(first["url"]).body, editor.get(LIST).json
    (instance.data / "media" / first["key"]).unlink()
    app.get(first["url"], status=404)

    again = upload(picture())

    assert again == first | {"duplicate": True}
    assert app.get(first["url"]).body == before
    assert editor.get(LIST).json == listed
    assert upload(picture())["duplicate"] is True


def test_concurrent_uploads_of_the_same_bytes_make_one_image(
    picture: Picture, app: Client, make_user: Callable[..., User], kept: Any
) -> None:
    clients = [app.as_user(make_user(role="editor")) for _ in range(6)]
    content = picture("PNG", 200, 200)

    def send(client: Client) -> Any:
        return client.post(UPLOAD, {"file": Upload("a.png", content, "image/png")}).json

    with ThreadPoolExecutor(len(clients)) as threads:
        answers = list(threads.map(send, clients))

    assert len({answer["key"] for answer in answers}) == 1
    assert sorted(answer["duplicate"] for answer in answers) == [False] + [True] * 5
    assert kept() == [answers[0]["key"]]


def test_the_list_is_newest_first_and_has_both_kinds(
    picture: Picture, clock: Clock, upload: Any, submit: Any, editor: Client
) -> None:
    keys = []
    for seed in range(3):
        keys.append(upload(picture(seed=seed))["key"])
        clock.shift(seconds=1)
        keys.append(submit(picture(seed=seed))["key"])
        clock.shift(seconds=1)

    assert [image["key"] for image in editor.get(LIST).json] == keys[::-1]
    page = editor.get(f"{LIST}?limit=2&offset=1")
    assert [image["key"] for image in page.json] == [keys[4], keys[3]]
    assert page.headers["X-Total-Count"] == "6"
    assert 'rel="next"' in page.headers["Link"]
    editor.get(f"{LIST}?limit=x", status=400)


def test_an_upload_without_permission_is_refused(
    picture: Picture,
    app: Client,
    make_user: Callable[..., User],
    make_role: Callable[..., Any],
    kept: Any,
) -> None:
    make_role("reader", "media.read")
    file = {"file": Upload("a.png", picture(), "image/png")}
    reader = app.as_user(make_user(role="reader"))

    assert app.post(UPLOAD, file, status=401).json == {"error": "Unauthorized"}
    reader.post(UPLOAD, file, status=403)
    assert reader.get(LIST).json == []
    assert app.get(LIST, status=401).json == {"error": "Unauthorized"}
    assert kept() == []


def test_without_a_file_the_answer_says_so(editor: Client, app: Client) -> None:
    problem = {"path": "file", "code": "required", "message": "No file provided"}
    nothing = {"error": "No file provided", "fields": [problem]}

    assert editor.post(UPLOAD, status=400).json == nothing
    assert editor.post_json(UPLOAD, {"file": "x"}, status=400).json == nothing
    assert editor.post(UPLOAD, {"image": Upload("a", b"x", "b/c")}, status=400).json == nothing
    assert app.post(SUBMIT, status=400).json == nothing


def test_the_size_of_an_upload_is_limited(editor: Client) -> None:
    file = {"file": Upload("a.png", bytes(10 * 1024**2), "image/png")}

    assert "bytes" in editor.post(UPLOAD, file, status=400).json["error"]


def test_the_alternative_text_can_be_set(
    picture: Picture, upload: Any, submit: Any, editor: Client
) -> None:
    for answer in (upload(picture()), submit(picture())):
        path = f"{LIST}/{answer['key']}"

        changed = editor.put_json(path, {"altText": "  Two people plant a tree "})

        assert changed.json["altText"] == "Two people plant a tree"
        assert editor.put_json(path, {}).json == changed.json
        assert editor.put_json(path, {"altText": None}).json["altText"] is None
        for wrong in (5, "x" * 2001, ["x"], "\0"):
            assert "altText" in editor.put_json(path, {"altText": wrong}, status=400).json["error"]


@pytest.mark.parametrize(
    "key", ["images/1.jpg", "images/1772357400123-" + "0" * 32 + ".jpg", "other/a.png"]
)
def test_an_image_that_is_not_there_can_not_be_changed(editor: Client, key: str) -> None:
    editor.put_json(f"{LIST}/{key}", {"altText": "x"}, status=404)
    editor.delete(f"{LIST}/{key}", status=404)


def test_a_failure_of_the_storage_is_reported_and_stores_nothing(
    picture: Picture, upload: Any, editor: Client, instance: Instance
) -> None:
    upload(picture())
    folder = instance.data / "media" / "images"
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    folder.write_text("in the way")

    assert upload(picture(seed=2), status=500) == {"error": "Failed to upload image"}
    assert len(editor.get(LIST).json) == 1
