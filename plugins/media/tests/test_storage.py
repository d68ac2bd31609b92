"""The storage behaves the same in a folder and on S3."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from masthead import Busy, Instance, StartError
from masthead.instance import open_instance
from masthead.plugins import installed
from masthead.testing import Client
from masthead_media.diagnosis import storage_trouble
from masthead_media.storage import Storage, storage_url

Picture = Callable[..., bytes]


@pytest.fixture(params=["folder", "s3"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Storage:
    if request.param == "s3":
        return Storage(request.getfixturevalue("s3_url"))
    return Storage((tmp_path / "a folder").as_uri())


def keys_of(storage: Storage, prefix: str | None = None) -> list[str]:
    return sorted(key for batch in storage.list(prefix) for key in batch)


def test_bytes_come_back_as_they_went(storage: Storage) -> None:
    content = os.urandom(600_000)
    storage.put("images/1.jpg", content, "image/jpeg")
    storage.put("images/2.jpg", b"old", "image/jpeg")
    storage.put("images/2.jpg", b"new", "image/jpeg")

    assert storage.get("images/1.jpg") == content
    assert storage.get("images/2.jpg") == b"new"
    assert storage.size("images/1.jpg") == 600_000
    assert b"".join(storage.iter_range("images/1.jpg", 10, 500_010)) == content[10:500_010]


def test_a_missing_key_is_reported_the_same_in_every_store(storage: Storage) -> None:
    storage.put("images/1.jpg", b"x", "image/jpeg")

    assert storage.size("images/2.jpg") is None
    with pytest.raises(FileNotFoundError):
        storage.get("images/2.jpg")
    with pytest.raises(FileNotFoundError):
        storage.iter_range("images/2.jpg", 0, 1)
    storage.delete(["images/2.jpg", "images/1.jpg", "images/1.jpg"])
    assert keys_of(storage) == []


def test_keys_are_listed_by_prefix(storage: Storage) -> None:
    folder = "renditions/images"
    for key in ("images/1.jpg", f"{folder}/1.jpg/320.jpg", f"{folder}/11.jpg/9.jpg"):
        storage.put(key, b"x", "image/jpeg")

    assert keys_of(storage, f"{folder}/1.jpg") == [f"{folder}/1.jpg/320.jpg"]
    assert len(keys_of(storage)) == 3
    assert keys_of(storage, "nothing") == []


class TestOnS3:
    @pytest.fixture
    def settings(self, s3_url: str) -> dict[str, str]:
        return {"masthead.media.storage": s3_url}

    def test_images_are_stored_and_served_as_from_a_folder(
        self,
        picture: Picture,
        upload: Any,
        app: Client,
        editor: Client,
        bucket: Any,
        instance: Instance,
    ) -> None:
        image = upload(picture("JPEG", 400, 300))
        whole = app.get(image["url"])
        assert whole.content_type == "image/jpeg"
        assert app.get(image["url"], headers={"Range": "bytes=5-9"}).body == whole.body[5:10]
        small = app.get(f"{image['url']}?w=320")
        assert app.get(f"{image['url']}?w=320").body == small.body
        app.head(image["url"], status=200)
        assert upload(picture("JPEG", 400, 300))["duplicate"] is True
        stored = {each.key: each.Object().content_type for each in bucket.objects.all()}
        assert stored == {
            f"site/media/{image['key']}": "image/jpeg",
            f"site/media/renditions/{image['key']}/320.jpg": "image/jpeg",
        }
        assert len(list(bucket.objects.all())) == 2

        editor.delete(f"/api/staff/images/{image['key']}")

        assert list(bucket.objects.all()) == []
        assert not (instance.data / "media").exists()

    def test_a_check_writes_and_deletes_a_file(self, instance: Instance, bucket: Any) -> None:
        assert storage_trouble(instance) is None
        assert list(bucket.objects.all()) == []

    def test_a_failure_stores_nothing(
        self, picture: Picture, upload: Any, editor: Client, bucket: Any
    ) -> None:
        bucket.delete()

        assert upload(picture(), status=500) == {"error": "Failed to upload image"}
        assert editor.get("/api/staff/images").json == []


def test_an_unreachable_store_is_a_failure(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    storage = Storage(
        f"s3://b?endpoint=http://127.0.0.1:{port}&access_key_id=a&secret_access_key=b"
    )

    with pytest.raises(Busy, match="can't be reached"):
        storage.put("images/1.jpg", b"x", "image/jpeg")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "url",
    [
        "",
        "file:///var/lib/masthead/media",
        "s3://bucket",
        "s3://bucket/a/prefix?region=eu-central-1&endpoint=https://s3.example.org",
        "gs://bucket/prefix",
        "az://account/container/prefix",
    ],
)
def test_a_storage_is_named_by_a_url(url: str) -> None:
    assert storage_url(f" {url} ") == url


@pytest.mark.parametrize(
    "url",
    [
        "media",
        "/var/media",
        "file://host/media",
        "file:media",
        "ftp://host/media",
        "s3://key:hush@bucket/prefix",
        "s3:///prefix",
        "s3://bucket?colour=red&secret_access_key=hush",
        "s3://bucket?region",
        "gs://bucket?region=x",
        "s3://bucket#x",
        "http://[",
    ],
)
def test_an_invalid_url_stops_the_start(url: str, tmp_path: Path) -> None:
    ini = {"masthead.data": str(tmp_path), "masthead.media.storage": url}

    with pytest.raises(StartError, match=r"masthead\.media\.storage") as caught:
        open_instance(ini, {}, installed())
    assert "hush" not in str(caught.value)
