"""Templates in one language: sandboxed Jinja, with values escaped in HTML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import partial
from importlib.resources.abc import Traversable
from zoneinfo import ZoneInfo

from babel import Locale
from babel.dates import format_date, format_datetime
from babel.support import Translations
from jinja2 import (
    BaseLoader,
    Environment,
    StrictUndefined,
    TemplateError,
    TemplateNotFound,
    TemplateSyntaxError,
    select_autoescape,
)
from jinja2.sandbox import ImmutableSandboxedEnvironment

from masthead.errors import StartError
from masthead.i18n.spans import find_locale


class _FolderLoader(BaseLoader):
    """Loads a template from the last of some folders that has it."""

    def __init__(self, folders: Sequence[Traversable]) -> None:
        self._folders = folders

    def get_source(
        self,
        environment: Environment,  # noqa: ARG002 - Jinja passes it
        template: str,
    ) -> tuple[str, str | None, None]:
        parts = template.split("/")
        if not any(part in ("", "..", ".") or "\\" in part for part in parts):
            for folder in reversed(self._folders):
                file = folder.joinpath(*parts)
                if file.is_file():
                    return file.read_text("utf-8"), str(file), None
        raise TemplateNotFound(template)


def make_environment(
    folders: Sequence[Traversable],
    language: str,
    translations: Translations,
    *,
    name: str,
    zone: ZoneInfo,
) -> ImmutableSandboxedEnvironment:
    """Return the environment of templates in a language.

    Templates know ``language``, ``direction`` (``ltr`` or ``rtl``), ``organisation`` (its name),
    the filters ``date`` and ``time``, which write a moment as people write it, and the filter
    ``translated``, which translates a text of code, such as the label of a content type.

    :param folders: the folders of templates; a template in a later one replaces one of the same
        name.
    :param name: the name of the organisation.
    """
    environment = ImmutableSandboxedEnvironment(
        loader=_FolderLoader(folders),
        extensions=["jinja2.ext.i18n"],
        autoescape=select_autoescape(("html",)),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    locale = find_locale(language)
    # Line ends in {% trans %} are those of the template's source, not of the text.
    environment.policies["ext.i18n.trimmed"] = True
    # The extension adds this method.
    environment.install_gettext_translations(  # type: ignore[attr-defined]
        translations, newstyle=True
    )
    environment.globals |= {
        "language": language,
        "direction": locale.text_direction,
        "organisation": name,
    }
    environment.filters["date"] = partial(_date, zone=zone, locale=locale)
    environment.filters["time"] = partial(_time, zone=zone, locale=locale)
    # Unlike gettext(), it leaves percent signs alone.
    environment.filters["translated"] = translations.ugettext
    return environment


def check_templates(environment: Environment, names: Iterable[str]) -> None:
    """Compile templates.

    :raises StartError: for one that is wrong, naming its file and line.
    """
    for name in names:
        try:
            environment.get_template(name)
        except TemplateSyntaxError as error:
            where = f"{error.filename or name}, line {error.lineno}"
            raise StartError(f"{where}: {error.message}") from None
        except (OSError, ValueError, RecursionError, TemplateError) as error:
            raise StartError(f"the template {name} can't be read: {error}") from None


def template_names(folder: Traversable) -> list[str]:
    """Return the names of the templates in a folder and its subfolders, sorted."""
    return sorted(_names_in(folder))


def _date(moment: datetime, *, zone: ZoneInfo, locale: Locale) -> str:
    """Return the day of a moment, such as "3 May 2027"."""
    return format_date(moment.astimezone(zone), "long", locale)


def _time(moment: datetime, *, zone: ZoneInfo, locale: Locale) -> str:
    """Return day, time and zone of a moment, such as "3 May 2027 at 18:30:00 CEST"."""
    return format_datetime(moment, "long", zone, locale)


def _names_in(folder: Traversable, prefix: str = "") -> list[str]:
    if not folder.is_dir():
        return []
    names = []
    for each in folder.iterdir():
        if each.is_dir():
            names += _names_in(each, f"{prefix}{each.name}/")
        elif each.name.endswith((".html", ".txt", ".css")):
            names.append(prefix + each.name)
    return names
