"""The texts of mails and pages: languages, the deployer's own texts, and broken ones."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from masthead import Instance, StartError, Texts, texts_of
from masthead.core_plugin import plugin as core
from masthead.i18n.checks import check_texts, warnings_of
from masthead.instance import open_instance

MAIL = "core/mails/changed-address.txt"
SUBJECT = "Your e-mail address was changed"
BLOCKS = "{% block subject %}a{% endblock %}{% block text %}"
Open = Callable[..., Instance]


@pytest.fixture
def open_with(tmp_path: Path) -> Iterator[Open]:
    """Return a function that opens an instance with files of texts, and with settings."""
    opened: list[Instance] = []

    def make(files: dict[str, str] | None = None, **settings: str) -> Instance:
        ini = {f"masthead.{name}": value for name, value in settings.items()}
        if files is not None:
            folder = tmp_path / f"texts{len(opened)}"
            for name, content in files.items():
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content, "utf-8")
            ini["masthead.texts"] = str(folder)
        ini["masthead.data"] = str(tmp_path)
        opened.append(open_instance(ini, {}, {"core": core}))
        return opened[-1]

    yield make
    for each in opened:
        each.close()


def mail(instance: Instance, language: str, username: str = "ada") -> str:
    """Return a mail as a subject, a blank line and a text."""
    found = texts_of(instance).render_mail(MAIL, language, username=username)
    return f"{found.subject}\n\n{found.text}"


def template(text: str) -> dict[str, str]:
    return {f"templates/{MAIL}": f"{BLOCKS}{text}{{% endblock %}}"}


def catalogue(*translations: tuple[str, str], language: str = "de") -> dict[str, str]:
    entries = "".join(f'\nmsgid "{text}"\nmsgstr "{own}"\n' for text, own in translations)
    header = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n'
    return {f"translations/{language}.po": header + entries}


def test_readers_get_the_nearest_language_that_has_translations(open_with: Open) -> None:
    texts = texts_of(open_with(language="fr-CA"))

    assert texts.language("de-AT", "ja") == "de"
    assert texts.language(None, "it", "ja") == "ja"
    assert texts.language("it") == texts.language() == "fr"
    assert texts_of(open_with(language="it")).language("pt-BR") == "en"


def test_hostile_accept_language_costs_little_and_never_fails(open_with: Open) -> None:
    texts = texts_of(open_with())
    expected = {
        "de-AT,en;q=0.5": "de",
        "it, ja;q=0.2, de;q=0.9": "de",
        "de;q=0, fr": "fr",
        "AR": "ar",
        "*": None,
        "": None,
        ",,,": None,
        "de;q=7": None,
        "é\x00": None,
        "xx," * 166 + "de": "de",
    }
    assert {header: texts.accepted(header) for header in expected} == expected
    assert texts.accepted(None) is None
    started = time.process_time()
    for unit in ("de,", "*-", "a-", "de;q=0.1,", ", ", "\t", "de;q=", ";", "x" * 9):
        texts.accepted(unit * (100_000 // len(unit)))
    assert time.process_time() - started < 0.5


def test_a_deployer_replaces_a_template_in_all_languages_and_one_text_in_one(
    open_with: Open,
) -> None:
    own = {
        "templates/core/mails/password.txt": '{% extends "core/mails/_frame.txt" %}'
        "{% block text %}{% set who = username | upper %}{% include '_foot.txt' %}{% endblock %}",
        "templates/core/mails/_frame.txt": "{% block subject %}{% trans %}Choose a new password"
        "{% endtrans %}{% endblock %}{% block text %}{% endblock %}",
        "templates/_foot.txt": "Bye {{ who }}",
    }
    instance = open_with(own | catalogue((SUBJECT, "Andere Adresse")))

    check_texts(instance)

    assert list(warnings_of(instance)) == []
    assert mail(instance, "de").startswith("Andere Adresse\n\nDas Konto ada hat")
    assert mail(instance, "fr").startswith("Votre adresse e-mail")
    values = {"username": "ada", "link": "https://example.org"}
    found = texts_of(instance).render_mail("core/mails/password.txt", "de", **values)
    assert (found.subject, found.text) == ("Neues Passwort wählen", "Bye ADA\n")


@pytest.mark.parametrize("username", ["{{ 7 * 7 }}", "{% raw %}", "%(x)s", "5 % {{name}}", "<b>&"])
def test_values_are_never_interpreted(open_with: Open, username: str) -> None:
    instance = open_with()
    for language in texts_of(instance).languages:
        assert username in mail(instance, language, username)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (template("\n{% if %}"), f"{MAIL}, line 2: Expected an expression"),
        (template("{{ a b }}"), f"{MAIL}, line 1: expected token"),
        ({f"templates/{MAIL}": "{% block text %}{% endblock %}"}, "lacks the block subject"),
        ({"translations/de.po": 'msgid "a"\nmsgstr b\n'}, "de.po, line 2: a text stands in"),
        ({"translations/de.po": 'msgid "a"\nmsgstr "b\n'}, "de.po, line 2: a text stands in"),
        ({"translations/de.po": "<html>\n"}, "de.po, line 1: "),
        (catalogue((SUBJECT, "100 % neu")), "de.po, line 5: a percent sign is written as %%"),
        (catalogue((SUBJECT, "%(who)s")), "de.po, line 5: there is no value %(who)s for this"),
        (catalogue((SUBJECT, "%(who)")), "de.po, line 5: a percent sign"),
        ({"translations/de.po": 'msgid ""\nmsgstr "Content-Type: x; charset=nope\\n"\n'}, "de.po"),
    ],
)
def test_a_broken_text_stops_the_start_with_one_line_and_is_replaced_later(
    open_with: Open, files: dict[str, str], message: str
) -> None:
    instance = open_with(files)

    with pytest.raises(StartError) as caught:
        check_texts(instance)

    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert mail(instance, "de").startswith("Ihre E-Mail-Adresse wurde geändert\n\nDas Konto ada")
    assert mail(instance, "en").startswith(SUBJECT)


@pytest.mark.parametrize(
    "attempt",
    [
        "{{ ''.__class__.__mro__ }}",
        "{{ gettext.__globals__ }}",
        "{{ range(10 ** 9) | list }}",
        "{{ '{0.__class__}'.format(username) }}",
        "{% include '../../../../../etc/passwd' %}",
        "{% include '/etc/passwd' %}",
        "{% include '..\\\\x' %}",
        "{{ unknown }}",
        "{{ 1 / 0 }}",
        "{% include 'core/mails/changed-address.txt' %}",
    ],
)
def test_a_template_that_leaves_the_sandbox_or_fails_is_logged_and_not_used(
    open_with: Open, attempt: str, caplog: pytest.LogCaptureFixture
) -> None:
    instance = open_with(template(attempt))

    check_texts(instance)

    assert mail(instance, "en").startswith(SUBJECT)
    assert "core/mails/changed-address.txt" in caplog.text


def test_files_and_texts_without_effect_are_named(
    open_with: Open, caplog: pytest.LogCaptureFixture
) -> None:
    files = {
        "templates/core/mails/pasword.txt": "",
        "templates/_own.txt": "{% trans %}Kind regards{% endtrans %}",
        "templates/_/deep.txt": "",
        "translations/German.po": "",
        "readme.txt": "",
        ".hidden": "",
        **catalogue(("Kind regards", "Gruß"), ("Kind retards", "Gruß"), ("Not done yet", "")),
        **catalogue((SUBJECT, "Indirizzo cambiato"), language="it"),
    }
    instance = open_with(files, language="pt-BR")

    check_texts(instance)

    said = [record.getMessage().rpartition("/")[2] for record in caplog.records]
    assert said == [
        "masthead.language is pt-BR, which has no translations; English is used",
        "readme.txt replaces nothing; see masthead texts list",
        "pasword.txt replaces nothing; see masthead texts list",
        "German.po replaces nothing; see masthead texts list",
        "de.po, line 8: no template and no plugin has this text",
    ]
    assert "it" in texts_of(instance).languages
    assert mail(instance, "it").startswith("Indirizzo cambiato\n\nThe account ada has")


def test_a_missing_folder_is_named(open_with: Open, tmp_path: Path) -> None:
    instance = open_with(texts=str(tmp_path / "none"))
    assert list(warnings_of(instance)) == [
        f"masthead.texts is {tmp_path / 'none'}, but there is no such folder"
    ]
    assert mail(instance, "en").startswith(SUBJECT)


def test_dates_follow_zone_and_conventions_of_the_organisation(open_with: Open) -> None:
    files = template("{{ due | date }} / {{ due | time }} / {{ direction }}")
    instance = open_with(
        files | catalogue(language="tlh"), language="en-GB", timezone="Europe/Berlin"
    )
    texts = texts_of(instance)
    due = datetime(2027, 5, 3, 22, 30, tzinfo=UTC)

    found = {x: texts.render_mail(MAIL, x, due=due).text.strip() for x in ("en", "de", "ar", "tlh")}

    assert found["en"].startswith("4 May 2027 / 4 May 2027")
    assert found["de"].startswith("4. Mai 2027 / 4. Mai 2027")
    assert all("00:30:00" in found[language] for language in ("en", "de"))
    assert found["ar"].endswith("/ rtl")
    assert found["tlh"].startswith("May 4, 2027")


def test_a_regional_catalogue_needs_only_the_texts_that_differ(open_with: Open) -> None:
    instance = open_with(catalogue((SUBJECT, "Adresse gewechselt"), language="de-CH"))
    texts = texts_of(instance)
    assert (texts.language("de-CH"), texts.language("de-AT")) == ("de-CH", "de")
    assert mail(instance, "de-CH").startswith("Adresse gewechselt\n\nDas Konto ada")


def test_threads_render_the_first_mails_at_once(open_with: Open) -> None:
    texts: Texts = texts_of(open_with())
    languages = texts.languages * 4
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda x: texts.render_mail(MAIL, x, username="ada"), languages))
    assert len(set(found)) == len(texts.languages) == 6
