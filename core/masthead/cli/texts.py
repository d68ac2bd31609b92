"""``masthead texts``: the texts of mails and pages, and the deployer's own ones."""

from __future__ import annotations

import difflib
import io
from pathlib import Path

import click

from masthead.console.context import config_option, open_from
from masthead.console.table import show_table
from masthead.errors import StartError
from masthead.i18n.catalogues import read_catalogue
from masthead.i18n.checks import warnings_of
from masthead.i18n.inventory import (
    TEMPLATES,
    catalogues_by_plugin,
    files_without_effect,
    own_catalogues,
    own_files,
    text_files,
)
from masthead.i18n.settings import TEXTS
from masthead.instance import Instance
from masthead.organisation.settings import is_language

_WIDTH = 100


@click.group()
def texts() -> None:
    """List, replace and translate the texts of mails and pages."""


@texts.command("list")
@config_option
def list_texts(config: Path | None) -> None:
    """List the templates and catalogues, and the files that replace them."""
    with open_from(config) as instance:
        own = own_files(instance)
        files = text_files(instance)
        useless = files_without_effect(instance)
        warnings = list(warnings_of(instance))
    rows = [(each.name, each.plugin, "yes" if each.name in own else "no") for each in files]
    known = {each.name for each in files}
    added = (name for name in own if name not in known)
    rows += [(name, "-", "nothing" if name in useless else "added") for name in added]
    show_table(("NAME", "PLUGIN", "REPLACED"), rows)
    for warning in warnings:
        click.echo(f"Warning: {warning}", err=True)


@texts.command("copy")
@click.argument("name")
@config_option
def copy_text(name: str, config: Path | None) -> None:
    """Copy the built-in template NAME into the folder of masthead.texts, to change it there.

    NAME is one of those that "masthead texts list" shows; "templates/" may be left out.
    """
    with open_from(config) as instance:
        wanted = name if name.startswith(f"{TEMPLATES}/") else f"{TEMPLATES}/{name}"
        target = _folder(instance) / wanted
        content = _template(instance, wanted)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("xb") as file:
            file.write(content)
    except FileExistsError:
        raise click.ClickException(f"{target} exists already; it is left as it is") from None
    except OSError as error:
        raise click.ClickException(f"{target} can't be written: {error.strerror}") from None
    click.echo(f"Wrote {target}")


@texts.command("messages")
@click.argument("language")
@config_option
def show_messages(language: str, config: Path | None) -> None:
    """Print all texts and their translations into LANGUAGE as a PO file.

    Saved as translations/LANGUAGE.po in the folder of masthead.texts, the file replaces each
    translation that it has. A translation into a new language begins with it.
    """
    if not is_language(language):
        raise click.BadParameter("a language tag such as de or pt-BR", param_hint="LANGUAGE")
    with open_from(config) as instance:
        printed = _messages(instance, language)
    click.echo(printed, nl=False)


def _folder(instance: Instance) -> Path:
    folder: Path | None = instance.settings[TEXTS]
    if folder is None:
        raise StartError("masthead.texts isn't set; set it to a folder of your own texts")
    return folder


def _template(instance: Instance, name: str) -> bytes:
    found = {each.name: each for each in text_files(instance) if each.name.startswith(TEMPLATES)}
    if name not in found:
        close = difflib.get_close_matches(name, list(found), n=1)
        hint = f"did you mean {close[0]}?" if close else "masthead texts list shows the names"
        raise click.ClickException(f"there is no template {name}; {hint}")
    return found[name].file.read_bytes()


def _messages(instance: Instance, language: str) -> str:
    """Return a PO file of all messages, with built-in translations and those of the deployer."""
    from babel import UnknownLocaleError
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import write_po

    try:
        catalogue = Catalog(locale=language.replace("-", "_"), fuzzy=False)
    except UnknownLocaleError:
        catalogue = Catalog(fuzzy=False)
    for plugin, messages in catalogues_by_plugin(instance, language):
        for each in messages:
            if each.id:
                catalogue.add(each.id, each.string, auto_comments=[f"Plugin {plugin}"])
    if own := own_catalogues(instance).get(language):
        for each in read_catalogue(own):
            if each.id and each.string:
                # add() would keep the translation of a text that it knows.
                catalogue.delete(each.id)
                catalogue.add(each.id, each.string, auto_comments=["masthead.texts"])
    written = io.BytesIO()
    write_po(written, catalogue, width=_WIDTH, omit_header=True)
    header = (
        'msgid ""\nmsgstr ""\n'
        f'"Language: {language}\\n"\n'
        '"Content-Type: text/plain; charset=utf-8\\n"\n'
        f'"Plural-Forms: {catalogue.plural_forms}\\n"\n\n'
    )
    return header + written.getvalue().decode()
