"""The texts of an instance in each language: translated messages and rendered templates."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar
from zoneinfo import ZoneInfo

from sqlalchemy.orm import Session

from masthead.errors import StartError
from masthead.i18n.catalogues import SOURCE, read_catalogues, texts_folders
from masthead.i18n.settings import TEXTS
from masthead.instance import Instance, instance_of
from masthead.organisation.services import Organisation, default_organisation, organisation_of

if TYPE_CHECKING:
    from babel.support import Translations
    from jinja2 import Template
    from jinja2.sandbox import SandboxedEnvironment

logger = logging.getLogger(__name__)

Made = TypeVar("Made")

BLOCKS = ("subject", "text")
"""The blocks of the template of a mail."""
_MAX_HEADER = 500
"""The number of characters of Accept-Language that are read."""


@dataclass(frozen=True)
class MailText:
    """The subject and the text of a mail."""

    subject: str
    text: str


class Texts:
    """The catalogues and templates of an instance, for an organisation."""

    def __init__(self, instance: Instance) -> None:
        self._settings = instance.settings
        self._packages = [each.texts for each in instance.plugins if each.texts]
        self._environments: dict[tuple[str, bool], SandboxedEnvironment] = {}
        self.organisation = default_organisation(instance.settings)
        self._latest: Texts | None = None

    def of(self, organisation: Organisation) -> Texts:
        """Return these texts with the name, the language and the time zone of an organisation."""
        if organisation == self.organisation:
            return self
        # Read by another thread in between, it may be replaced, but it stays valid.
        latest = self._latest
        if latest is None or latest.organisation != organisation:
            # Copies have the catalogues only if they have been read.
            _ = self._catalogues
            latest = copy(self)
            vars(latest).update(organisation=organisation, _environments={})
            self._latest = latest
        return latest

    @cached_property
    def _catalogues(self) -> Mapping[str, Translations]:
        try:
            return read_catalogues(self._folders("translations", own=True))
        except StartError:
            logger.exception("The translations of masthead.texts aren't used")
            return self._built_in

    @cached_property
    def _built_in(self) -> Mapping[str, Translations]:
        return read_catalogues(self._folders("translations", own=False))

    def _folders(self, name: str, *, own: bool) -> list[Any]:
        return texts_folders(self._packages, self._settings[TEXTS] if own else None, name)

    @property
    def languages(self) -> list[str]:
        """The tags of all languages with translations, and that of the texts in the code."""
        return sorted(self._catalogues)

    @property
    def zone(self) -> ZoneInfo:
        """The time zone of the organisation."""
        return self.organisation.zone

    def language(self, *wanted: str | None) -> str:
        """Return the first of some languages that has translations.

        :param wanted: language tags, the best one first; ``de-AT`` is satisfied by ``de``. None is
            skipped, and the language of the organisation follows the last one.
        """
        for tag in (*wanted, self.organisation.language):
            if tag is not None and (found := self._lookup(tag)):
                return found
        return SOURCE

    def accepted(self, header: str | None) -> str | None:
        """Return the best language of an Accept-Language header (RFC 9110, section 12.5.4).

        :returns: None if none of them has translations.
        """
        from webob.acceptparse import AcceptLanguageValidHeader, create_accept_language_header

        text = header or ""
        # A part of a language at the end would spoil the whole header.
        text = text if len(text) <= _MAX_HEADER else text[:_MAX_HEADER].rpartition(",")[0]
        accept = create_accept_language_header(text or None)
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
        try:
            return self._catalogues[language].ugettext(message) % values
        except (KeyError, TypeError, ValueError):
            logger.exception("The translation of %r into %s failed", message, language)
            return self._known(language).ugettext(message) % values

    def render(self, name: str, language: str, /, **values: object) -> str:
        """Return a template in a language, which ``language()`` returned.

        If a template or a translation of the deployer fails, that is logged, and those that they
        replace are used.

        :param name: such as ``email/confirm.html``.
        """
        return self._rendered(name, language, lambda template: template.render(values))

    def render_mail(self, name: str, language: str, /, **values: object) -> MailText:
        """Return the blocks ``subject`` and ``text`` of a template.

        :param name: such as ``core/mails/password.txt``; other parameters are those of ``render``.
        """

        def blocks(template: Template) -> MailText:
            context = template.new_context(values)
            # Blocks of a template that this one extends, and variables, are known only afterwards.
            deque(template.root_render_func(context), maxlen=0)
            subject, text = ("".join(context.blocks[each][0](context)) for each in BLOCKS)
            return MailText(" ".join(subject.split()), f"{text.strip()}\n")

        return self._rendered(name, language, blocks)

    def _rendered(self, name: str, language: str, use: Callable[[Template], Made]) -> Made:
        try:
            return use(self._environment(language, own=True).get_template(name))
        except Exception:
            if self._settings[TEXTS] is None:
                raise
            logger.exception("The template %s failed with masthead.texts", name)
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

            known = own or language in self._built_in
            made = make_environment(
                self._folders("templates", own=own),
                self._regional(language) if known else SOURCE,
                self._catalogues[language] if own else self._known(language),
                name=self.organisation.name,
                zone=self.organisation.zone,
            )
            self._environments.setdefault(key, made)
        return self._environments[key]

    def _known(self, language: str) -> Translations:
        """Return the translations without those of the deployer; English ones if there are none."""
        return self._built_in.get(language, self._built_in[SOURCE])

    def _regional(self, language: str) -> str:
        """Return the tag whose conventions dates follow: en-GB in an organisation of that tag."""
        own = self.organisation.language
        return own if self._lookup(own) == language else language

    def check(self) -> None:
        """Read all catalogues, and the deployer's templates.

        :raises StartError: for one that can't be read, naming its file and line.
        """
        from masthead.i18n.templates import check_templates, template_names

        read_catalogues(self._folders("translations", own=True))
        if own := self._settings[TEXTS]:
            # A template is compiled alike in all languages.
            environment = self._environment(SOURCE, own=True)
            check_templates(environment, template_names(own / "templates"))

    def messages_in(self, source: str) -> set[str]:
        """Return the English texts that the source of a template translates."""
        environment = self._environment(SOURCE, own=True)
        # The extension adds this method.
        found = environment.extract_translations(source)  # type: ignore[attr-defined]
        return {each if isinstance(each, str) else each[0] for _line, _function, each in found}


def language_name(tag: str) -> str:
    """Return the name of a language in the language itself, such as Deutsch; else the tag."""
    from babel import Locale, UnknownLocaleError

    try:
        locale = Locale.parse(tag, sep="-")
    except (UnknownLocaleError, ValueError):
        return tag
    return locale.get_display_name(locale) or tag


def texts_of(source: Session | Instance) -> Texts:
    """Return the texts of an instance.

    :param source: a session, so that the name, the language and the time zone that staff have set
        count. For an instance those of the settings count.
    """
    if isinstance(source, Instance):
        return source.shared(Texts)
    return instance_of(source).shared(Texts).of(organisation_of(source))
