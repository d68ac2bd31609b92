"""The contact form works in browsers without JavaScript, and for programs as before."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from masthead import Plugin
from masthead.testing import Client
from masthead_site.plugin import plugin as site

SENT = {"name": "Eve", "email": "eve@example.org", "subject": "Hello", "message": "One\r\ntwo ü"}
THANKS, FAILED = "https://www.example.org/thanks", "https://www.example.org/sorry"
FORM = "application/x-www-form-urlencoded"


@pytest.fixture
def plugins() -> list[Plugin]:
    return [site]


class TestWithPagesOfTheWebsite:
    """The settings name pages."""

    @pytest.fixture
    def settings(self) -> dict[str, str]:
        return {
            "masthead.forms.success_page": THANKS,
            "masthead.forms.failure_page": FAILED,
            "masthead.site.max_age": "60",
        }

    def test_the_browser_is_led_to_the_page_of_success(self, app: Client) -> None:
        answer = app.post("/api/contact", SENT, status=303)

        assert answer.headers["Location"] == f"{THANKS}?form=contact.send"
        assert stored(app) == [{**SENT, "message": "One\ntwo ü"}]

    @pytest.mark.parametrize(
        ("change", "told"),
        [
            ({"email": "eve"}, "email: "),
            ({"name": " "}, "name: Required"),
            ({"website": "https://spam.example"}, "website: Must be empty"),
        ],
    )
    def test_it_is_led_to_the_page_of_failure_with_the_reason(
        self, app: Client, change: dict[str, str], told: str
    ) -> None:
        answer = app.post("/api/contact", SENT | change, status=303)

        assert answer.headers["Location"].startswith(f"{FAILED}?")
        query = parse_qs(urlsplit(answer.headers["Location"]).query)
        assert query["form"] == ["contact.send"]
        assert query["status"] == ["400"]
        assert query["error"][0].startswith(told)
        assert stored(app) == []

    def test_no_request_chooses_another_page(self, app: Client) -> None:
        address = "/api/contact?next=https://evil.example&form=x"
        headers = {"Referer": "https://evil.example/", "Host": "evil.example"}
        body = SENT | {"next": "https://evil.example", "redirect": "//evil.example"}

        answer = app.post(address, body, headers=headers, status=303)

        assert answer.headers["Location"] == f"{THANKS}?form=contact.send"

    @pytest.mark.parametrize("path", ["/api/navigation", "/api/site"])
    def test_answers_of_each_page_may_be_kept(self, app: Client, path: str) -> None:
        answer = app.get(path)

        assert answer.headers["Cache-Control"] == "max-age=60"
        again = app.get(path, headers={"If-None-Match": answer.headers["ETag"]})
        assert again.status_int == 304
        assert app.get("/api/about").headers["Cache-Control"] == "no-cache"


class TestWithoutSettings:
    """Masthead shows a page of its own."""

    @pytest.mark.parametrize("multipart", [False, True])
    def test_a_page_thanks_in_the_language_of_the_browser(
        self, app: Client, multipart: bool
    ) -> None:
        german = {"Accept-Language": "de-AT, en;q=0.5"}
        options: Any = {"upload_files": [("file", "", b"")]} if multipart else {}

        answer = app.post("/api/contact", SENT, headers=german, **options)

        assert "Vielen Dank" in answer.html.h1.text
        assert stored(app) == [{**SENT, "message": "One\ntwo ü"}]

    def test_a_page_says_what_is_wrong(self, app: Client) -> None:
        answer = app.post("/api/contact", SENT | {"email": "<b>"}, status=400)

        assert answer.html.h1.text == "The form could not be sent"
        assert (
            answer.html.find(class_="hint").text.strip() == "email: This is not an e-mail address."
        )

    @pytest.mark.parametrize("language", ["ar", "de", "es", "fr", "ja"])
    def test_a_page_says_it_in_the_language_of_the_browser(
        self, app: Client, language: str
    ) -> None:
        wrong = {"email": "<b>", "subject": "x" * 300}
        headers = {"Accept-Language": language}

        answer = app.post("/api/contact", SENT | wrong, headers=headers, status=400)

        for english in ("This is", "This has", "Must be"):
            assert english not in answer.text
        [email, subject] = answer.html.find_all("li")
        assert "email" in email.text
        assert "200" in subject.text

    def test_a_file_and_a_repeated_field_are_refused(self, app: Client) -> None:
        files = [("file", "a.png", b"x")]
        repeated = urlencode([*SENT.items(), ("name", "Adam")])

        assert "takes no file" in app.post("/api/contact", SENT, upload_files=files, status=400)
        assert "name: This was sent more than once" in app.post(
            "/api/contact", repeated, status=400
        )
        assert stored(app) == []

    @pytest.mark.parametrize("media_type", [FORM, "multipart/form-data", "text/plain", ""])
    def test_json_is_answered_by_json_whatever_its_media_type(
        self, app: Client, media_type: str
    ) -> None:
        headers = {"Content-Type": media_type} if media_type else {}
        json = b' {"name": "Eve", "email": "eve@example.org", "subject": "a=b&c", "message": "x"}'

        assert app.post("/api/contact", json, headers=headers).json["success"] is True
        assert "name" in app.post("/api/contact", b"{}", headers=headers, status=400).json["error"]

    @pytest.mark.parametrize("body", [b"", b"nonsense", b"a=b", b"[1]", b"%", b"\xff=\xff"])
    def test_what_has_no_field_of_the_form_is_no_form(self, app: Client, body: bytes) -> None:
        answer = app.post("/api/contact", body, headers={"Content-Type": FORM}, status=400)

        assert answer.json["error"].startswith("The body is not")

    def test_other_endpoints_take_no_forms(self, app: Client) -> None:
        staff = app.as_role("editor")

        assert staff.post("/api/staff/pages", {"title": "x"}, status=400).json == {
            "error": "The body is not JSON"
        }


def stored(app: Client) -> list[dict[str, str]]:
    messages = app.as_role("editor").get("/api/staff/contact-messages").json
    return [{name: each[name] for name in SENT} for each in messages]
