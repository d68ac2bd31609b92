"""Field types for text of one line: titles, names and classes."""

from __future__ import annotations

import re
from typing import Any

from masthead.errors import ProblemCode, WrongValue
from masthead.schemas.field_types import Str
from masthead.unicode.characters import has_needless_invisible, one_line, single_spaced

# The characters of class names, those of Tailwind's arbitrary values and variants too. Without
# quotes, "<" and braces, no template can mistake them for markup.
_CLASSES = re.compile(r"[\w .:/\[\]()#%!*+@,&>~=$^|-]*")


class Line(Str):
    """Text of one line: a title, a subject, a label, a place. Tabs and line ends become spaces."""

    def parse(self, value: Any) -> str:
        """Return the stored text."""
        text = super().parse(value)
        try:
            return one_line(text)
        except ValueError as error:
            raise WrongValue(ProblemCode.FORBIDDEN_CHARACTERS, str(error)) from None


class DisplayName(Line):
    """The name of a person or thing: a line in which nothing invisible tells two names apart.

    Runs of blanks become one space. Invisible characters are refused, except for joiners and
    variants where a script or an emoji needs them.
    """

    def parse(self, value: Any) -> str:
        """Return the stored name."""
        name = single_spaced(super().parse(value))
        if has_needless_invisible(name):
            message = "Must not contain invisible characters"
            raise WrongValue(ProblemCode.FORBIDDEN_CHARACTERS, message)
        return name


class Secret(Str):
    """Text that only one answer shows, such as a new key; it is null in all others."""

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of text or null."""
        return {**super().schema(), "type": ["string", "null"]}


class ClassNames(Line):
    """Names of classes or of an icon, separated by blanks: ``from-red-500/50 md:bg-[#fff]``."""

    def parse(self, value: Any) -> str:
        """Return the stored names."""
        names = super().parse(value)
        if not _CLASSES.fullmatch(names):
            message = "Must be names of classes, without quotes and brackets of markup"
            raise WrongValue(ProblemCode.FORBIDDEN_CHARACTERS, message)
        return names
