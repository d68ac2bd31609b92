"""Clients get images from the storage itself, at public or signed addresses, if settings say so."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

import pytest
from botocore.auth import S3SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from masthead import Instance, StartError
from masthead.instance import open_instance
from masthead.plugins import installed
from masthead.testing import Client
from masthead_media.diagnosis import address_trouble
from masthead_media.settings import PUBLIC_URL

Picture = Callable[..., bytes]


def fetch(url: str, **headers: str) -> Any:
    with urlopen(Request(url, headers=headers), timeout=20) as answer:
        return answer.status, answer.headers, answer.read()


class TestSigned:
    @pytest.fixture
    def settings(self, s3_url: str) -> dict[str, str]:
        return {
            "masthead.media.storage": s3_url,
            "masthead.media.delivery": "signed",
            "masthead.media.signed_seconds": "600",
        }

    def test_an_image_leads_to_an_address_that_the_store_accepts(
        self, picture: Picture, upload: Any, app: Client, bucket: Any
    ) -> None:
        image = upload(picture("JPEG", 400, 300))
        assert image["url"] == f"/api/images/{image['key']}"

        answer = app.get(image["url"], status=302)

        signed = urlsplit(answer.headers["Location"])
        assert signed.path == f"/{bucket.name}/site/media/{image['key']}"
        asked = {name: value for name, [value] in parse_qs(signed.query).items()}
        assert asked["X-Amz-Expires"] == "600"
        assert signature_of(answer.headers["Location"], asked) == asked["X-Amz-Signature"]
        _, headers, content = fetch(answer.headers["Location"])
        assert content == bucket.Object(f"site/media/{image['key']}").get()["Body"].read()
        assert headers["Content-Type"] == "image/jpeg"
        assert headers["Cache-Control"] == "public, max-age=31536000, immutable"

    def test_the_redirect_is_kept_for_a_shorter_time_than_the_signature_is_valid(
        self, picture: Picture, upload: Any, app: Client
    ) -> None:
        answer = app.get(upload(picture())["url"], status=302)

        assert answer.headers["Cache-Control"] == "public, max-age=300, must-revalidate"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert answer.headers["Content-Length"] == "0"
        assert "Content-Type" not in answer.headers
        assert "ETag" not in answer.headers

    def test_a_head_and_a_range_lead_to_the_store_too(
        self, picture: Picture, upload: Any, app: Client
    ) -> None:
        url = upload(picture())["url"]
        whole = fetch(app.get(url).headers["Location"])[2]

        app.head(url, status=302)
        asked = app.get(url, headers={"Range": "bytes=5-9", "If-None-Match": "*"}, status=302)

        status, _, part = fetch(asked.headers["Location"], Range="bytes=5-9")
        assert (status, part) == (206, whole[5:10])

    def test_a_rendition_is_made_before_the_redirect(
        self, picture: Picture, upload: Any, app: Client, opened: Callable[[bytes], Any]
    ) -> None:
        url = upload(picture("JPEG", 400, 300))["url"]

        location = app.get(f"{url}?w=320", status=302).headers["Location"]

        assert opened(fetch(location)[2]).size == (320, 240)
        wide = app.get(f"{url}?w=640", status=302).headers["Location"]
        assert opened(fetch(wide)[2]).size == (400, 300)
        app.get(f"{url}?w=1", status=400)

    def test_unknown_images_are_not_found(self, app: Client) -> None:
        app.get(f"/api/images/images/{'1' * 13}-{'0' * 32}.png", status=404)
        app.get("/api/images/images/..%2f..%2fsecret", status=404)

    def test_a_check_reads_a_file_at_a_signed_address(
        self, instance: Instance, bucket: Any
    ) -> None:
        assert address_trouble(instance) is None
        assert list(bucket.objects.all()) == []

    @pytest.fixture
    def no_quota(self, settings: dict[str, str]) -> None:
        settings["masthead.media.rendition_seconds"] = "0"

    @pytest.mark.usefixtures("no_quota")
    def test_the_replacement_of_a_rendition_is_not_kept(
        self, picture: Picture, upload: Any, app: Client
    ) -> None:
        url = upload(picture("JPEG", 400, 300))["url"]

        answer = app.get(f"{url}?w=320", extra_environ={"REMOTE_ADDR": "203.0.113.9"}, status=302)

        assert answer.headers["Cache-Control"] == "no-store"


def signature_of(url: str, asked: dict[str, str]) -> str:
    """Return the signature that botocore makes for an address at the same time."""
    request = AWSRequest("GET", url.partition("?")[0])
    request.context["timestamp"] = asked["X-Amz-Date"]
    auth = S3SigV4QueryAuth(Credentials("testing", "testing"), "s3", "eu-central-1", expires=600)
    auth._modify_request_before_signing(request)
    signed = auth.signature(auth.string_to_sign(request, auth.canonical_request(request)), request)
    assert time.strptime(asked["X-Amz-Date"], "%Y%m%dT%H%M%SZ")
    return signed


class TestPublic:
    @pytest.fixture
    def settings(self, tmp_path: Path) -> dict[str, str]:
        return {
            "masthead.media.storage": (tmp_path / "files").as_uri(),
            "masthead.media.delivery": "public",
            "masthead.media.public_url": "https://images.example.org/site/",
        }

    def test_an_image_leads_to_its_public_address(
        self, picture: Picture, upload: Any, app: Client, tmp_path: Path
    ) -> None:
        image = upload(picture("PNG", 400, 300))

        answer = app.get(image["url"], status=302)

        address = "https://images.example.org/site"
        assert answer.headers["Location"] == f"{address}/{image['key']}"
        assert answer.headers["Cache-Control"] == "public, max-age=86400, must-revalidate"
        assert (tmp_path / "files" / image["key"]).is_file()
        small = app.get(f"{image['url']}?w=320", status=302).headers["Location"]
        assert small == f"{address}/renditions/{image['key']}/320.png"
        assert (tmp_path / "files" / small.removeprefix(f"{address}/")).is_file()

    def test_a_deleted_image_is_not_found(
        self, picture: Picture, upload: Any, app: Client, editor: Client
    ) -> None:
        image = upload(picture())
        editor.delete(f"/api/staff/images/{image['key']}")

        app.get(image["url"], status=404)

    def test_a_check_names_an_address_that_does_not_lead_to_the_files(
        self, instance: Instance, endpoint: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(instance.settings._values, PUBLIC_URL.name, f"{endpoint}/nobody")

        trouble = address_trouble(instance) or ""

        assert trouble.startswith(f"clients can't read images at {endpoint}/nobody/probes/")
        assert "404" in trouble

    def test_a_public_bucket_is_read_without_a_signature(
        self, endpoint: str, bucket: Any, s3_url: str
    ) -> None:
        from masthead_media.storage import Storage

        Storage(s3_url).put("images/1.jpg", b"x", "image/jpeg")
        address = f"{endpoint}/{bucket.name}/site/media/images/1.jpg"
        with pytest.raises(HTTPError, match="403"):
            fetch(address)
        bucket.Object("site/media/images/1.jpg").Acl().put(ACL="public-read")

        assert fetch(address)[2] == b"x"


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"delivery": "signed"}, "masthead.media.storage is a folder"),
        ({"delivery": "public"}, "masthead.media.public_url"),
        ({"delivery": "redirect"}, "one of proxy, public, signed"),
        ({"public_url": "images.example.org"}, "an address such as https"),
        ({"signed_seconds": "604801"}, "a whole number from 60 to 604800"),
    ],
)
def test_a_delivery_that_can_not_work_stops_the_start(
    settings: dict[str, str], named: str, tmp_path: Path
) -> None:
    ini = {f"masthead.media.{name}": value for name, value in settings.items()}

    with pytest.raises(StartError, match=named):
        open_instance({"masthead.data": str(tmp_path), **ini}, {}, installed())
