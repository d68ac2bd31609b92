"""Pages, footers and texts that a deployer replaces, and mistakes in them."""

from __future__ import annotations

from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from masthead import Instance, StartError, texts_of
from masthead.testing import Client
from masthead_email.rendering.footers import read_footer
from masthead_email.subscribers.links import link_key, sign

Mails = Callable[[], list[EmailMessage]]
ADDRESS = "Quai des Brumes 7, 75010 Paris"
FILES = {
    "templates/email/unsubscribed.html": (
        '{% extends "core/page.html" %}{% block title %}{% trans %}You are unsubscribed'
        "{% endtrans %}{% endblock %}{% block content %}<p>Come back soon!</p>{% endblock %}"
    ),
    # One fails at run time, one can't be read, and one runs code.
    "templates/email/confirmed.html": "<p>{{ nothing.known }}</p>",
    "templates/email/confirm.html": '{% extends "core/page.html" %}{% if %}',
    "templates/email/refused.html": "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    # The postal address without a link, and one with the link.
    "templates/email/footer.html": f"<p>{ADDRESS} {{% trans %}}Unsubscribe{{% endtrans %}}</p>",
    "templates/email/footer.txt": f"{ADDRESS}\n{{% trans %}}Unsubscribe{{% endtrans %}}",
    "translations/de.po": (
        'msgid "Unsubscribe"\nmsgstr "Austragen"\n\n'
        '#, python-format\nmsgid "%(address)s gets our newsletter. Do you want to unsubscribe?"\n'
        'msgstr "%(adress)s austragen?"\n'
    ),
    "translations/pt.po": 'msgid "Unsubscribe"\nmsgstr "Cancelar a inscrição"\n',
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("texts")
    for name, text in FILES.items():
        path = found / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return found


@pytest.fixture
def settings(folder: Path) -> dict[str, str]:
    return {"masthead.texts": str(folder), "masthead.language": "de"}


@pytest.fixture
def show(app: Client, staff: Client, instance: Instance) -> Callable[..., str]:
    """Return a function that shows a page to a new subscriber, in German by default."""

    def get(method: str, purpose: str, language: str = "de") -> str:
        body = {"email": f"ada-{language}@example.org"}
        made = staff.post_json("/api/staff/newsletter-subscribers", body).json
        with instance.database.transaction() as session:
            token = sign(link_key(session), purpose, made["id"])
        headers = {"Accept-Language": language}
        path = f"/api/newsletter/{purpose}/{token}"
        shown: str = getattr(app, method)(path, headers=headers).text
        return shown

    return get


def test_a_page_and_a_single_text_can_be_replaced(show: Any, instance: Instance) -> None:
    page = show("post", "unsubscribe")
    assert "<h1>Sie sind abgemeldet</h1>" in page
    assert "Come back soon!" in page
    assert texts_of(instance).translate("de", "Unsubscribe") == "Austragen"


def test_a_new_language_can_be_added(show: Any) -> None:
    page = show("get", "unsubscribe", "pt-BR")
    assert '<html lang="pt" dir="ltr">' in page
    assert "<h1>Cancelar a inscrição</h1>" in page
    # The rest is English.
    assert "gets our newsletter" in page


@pytest.mark.parametrize(
    ("method", "purpose", "heading"),
    [
        ("post", "confirm", "Sie sind angemeldet"),
        ("get", "confirm", "Newsletter abonnieren"),
        ("get", "unsubscribe", "Abmelden"),
    ],
)
def test_a_broken_template_or_text_is_logged_and_the_usual_one_is_shown(
    show: Any, caplog: pytest.LogCaptureFixture, method: str, purpose: str, heading: str
) -> None:
    page = show(method, purpose)

    assert f"<h1>{heading}</h1>" in page
    assert '<html lang="de" dir="ltr">' in page
    assert "failed with masthead.texts" in caplog.text


def test_a_template_runs_no_code(app: Client, caplog: pytest.LogCaptureFixture) -> None:
    headers = {"Accept-Language": "pt"}
    page = app.get("/api/newsletter/confirm/1-x", headers=headers, status=404)

    assert "<h1>This link is not valid any more</h1>" in page.text
    assert "subprocess" not in page.text
    assert "SecurityError" in caplog.text


def test_a_footer_without_a_link_gets_one(
    staff: Client,
    subscribe: Any,
    make_newsletter: Any,
    mails: Mails,
    instance: Instance,
    caplog: pytest.LogCaptureFixture,
) -> None:
    subscribe("ada@example.org")
    newsletter = make_newsletter(html_content="<p>x</p>")
    staff.post_json(f"/api/staff/newsletters/{newsletter['id']}/send", {})

    [mail] = mails()
    link = mail["List-Unsubscribe"].strip("<>")
    html, text = (mail.get_body([kind]).get_content() for kind in ("html", "plain"))
    assert f"<p>{ADDRESS} Austragen</p>" in html
    assert f'<a href="{link}">Austragen</a>' in html
    assert f"{ADDRESS}\r\nAustragen\r\nAustragen: {link}" in text
    assert html.count(link) == text.count(link) == 1
    assert caplog.text.count("has no unsubscribe link") == 2
    assert "Unsubscribe" in read_footer(texts_of(instance), "en").text


def test_a_check_names_what_is_broken(instance: Instance) -> None:
    with pytest.raises(StartError, match=r"confirm\.html, line 1"):
        texts_of(instance).check()


class TestUnreadable:
    @pytest.fixture
    def settings(self, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
        folder = tmp_path_factory.mktemp("unreadable")
        (folder / "translations").mkdir()
        (folder / "translations/de.po").write_text("Austragen", encoding="utf-8")
        return {"masthead.texts": str(folder)}

    def test_a_catalogue_that_cant_be_read_is_logged_and_not_used(
        self, show: Any, instance: Instance, caplog: pytest.LogCaptureFixture
    ) -> None:
        page = show("get", "unsubscribe")

        assert "<h1>Abmelden</h1>" in page
        assert "de.po, line" in caplog.text
        with pytest.raises(StartError, match=r"de\.po, line"):
            texts_of(instance).check()
