"""The texts of an instance in each language: translated messages and rendered templates."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar
from zoneinfo import ZoneInfo

from masthead.i18n.catalogues import SOURCE, read_catalogues, texts_folders
from masthead.i18n.settings import LANGUAGE, NAME, TEXTS, TIMEZONE
from masthead.instance import Instance

if TYPE_CHECKING:
    from babel.support import Translations
    from jinja2 import Template
    from jinja2.sandbox import SandboxedEnvironment

logger = logging.getLogger(__name__)

Made = TypeVar("Made")

_MAX_HEADER = 500
"""The number of characters of Accept-Language that are read."""


@dataclass(frozen=True)
class MailText:
    """The subject and the text of a mail."""

    subject: str
    text: str


class Texts:
    """The catalogues and templates of an instance; immutable once they are read."""

    def __init__(self, instance: Instance) -> None:
        self._settings = instance.settings
        self._packages = [each.texts for each in instance.plugins if each.texts]
        self._environments: dict[tuple[str, bool], SandboxedEnvironment] = {}

    @cached_property
    def _catalogues(self) -> Mapping[str, Translations]:
        return read_catalogues(self._folders("translations", own=True))

    def _folders(self, name: str, *, own: bool) -> list[Any]:
        return texts_folders(self._packages, self._settings[TEXTS] if own else None, name)

    @property
    def languages(self) -> list[str]:
        """The tags of all languages with translations, and that of the texts in the code."""
        return sorted(self._catalogues)

    @property
    def zone(self) -> ZoneInfo:
        """The time zone of the organisation."""
        zone: ZoneInfo = self._settings[TIMEZONE]
        return zone

    def language(self, *wanted: str | None) -> str:
        """Return the first of some languages that has translations.

        :param wanted: language tags, the best one first; ``de-AT`` is satisfied by ``de``. None is
            skipped, and the language of the organisation follows the last one.
        """
        for tag in (*wanted, self._settings[LANGUAGE]):
            if tag is not None and (found := self._lookup(tag)):
                return found
        return SOURCE

    def accepted(self, header: str | None) -> str | None:
        """Return the best language of an Accept-Language header (RFC 9110, section 12.5.4).

        :returns: None if none of them has translations.
        """
        from webob.acceptparse import AcceptLanguageValidHeader, create_accept_language_header

        accept = create_accept_language_header((header or "")[:_MAX_HEADER] or None)
        if not isinstance(accept, AcceptLanguageValidHeader):
            return None
        best: str | None = accept.lookup(
            language_tags=self.languages, default_tag=None, default=lambda: None
        )
        return best

    def translate(self, language: str, message: str, /, **values: object) -> str:
        """Return a message in a language, which ``language()`` returned, with values.

        :param message: the English text, with values as in ``%(name)s``.
        """
        return self._catalogues[language].ugettext(message) % values

    def render(self, name: str, language: str, /, **values: object) -> str:
        """Return a template in a language, which ``language()`` returned.

        A deployer's template that fails is logged, and the one that it replaces is rendered.

        :param name: such as ``email/confirm.html``.
        """
        return self._rendered(name, language, lambda template: template.render(values))

    def render_mail(self, name: str, language: str, /, **values: object) -> MailText:
        """Return the blocks ``subject`` and ``text`` of a template.

        :param name: such as ``core/mails/password.txt``; other parameters are those of ``render``.
        """

        def blocks(template: Template) -> MailText:
            context = template.new_context(values)
            subject, text = (
                "".join(template.blocks[each](context)) for each in ("subject", "text")
            )
            return MailText(" ".join(subject.split()), f"{text.strip()}\n")

        return self._rendered(name, language, blocks)

    def _rendered(self, name: str, language: str, use: Callable[[Template], Made]) -> Made:
        try:
            return use(self._environment(language, own=True).get_template(name))
        except Exception:
            if self._settings[TEXTS] is None:
                raise
            logger.exception("The template %s of masthead.texts failed", name)
            return use(self._environment(language, own=False).get_template(name))

    def _lookup(self, tag: str) -> str | None:
        while tag not in self._catalogues:
            tag, dash, _ = tag.rpartition("-")
            if not dash:
                return None
        return tag

    def _environment(self, language: str, *, own: bool) -> SandboxedEnvironment:
        key = (language, own)
        if key not in self._environments:
            from masthead.i18n.templates import make_environment

            made = make_environment(
                self._folders("templates", own=own),
                self._regional(language),
                self._catalogues[language],
                name=self._settings[NAME],
                zone=self._settings[TIMEZONE],
            )
            self._environments.setdefault(key, made)
        return self._environments[key]

    def _regional(self, language: str) -> str:
        """Return the tag whose conventions dates follow: en-GB in an organisation of that tag."""
        own = self._settings[LANGUAGE]
        return own if self._lookup(own) == language else language

    def check(self) -> None:
        """Read all catalogues, and the templates in each language.

        :raises StartError: for one that can't be read, naming its file and line.
        """
        from masthead.i18n.templates import check_templates

        for language in self.languages:
            check_templates(self._environment(language, own=True))


def language_name(tag: str) -> str:
    """Return the name of a language in the language itself, such as Deutsch; else the tag."""
    from babel import Locale, UnknownLocaleError

    try:
        locale = Locale.parse(tag, sep="-")
    except (UnknownLocaleError, ValueError):
        return tag
    return locale.get_display_name(locale) or tag


def texts_of(instance: Instance) -> Texts:
    """Return the texts of an instance."""
    return instance.shared(Texts)
