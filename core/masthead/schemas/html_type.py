"""The field type of HTML, and the settings of its sanitiser."""

from __future__ import annotations

from copy import copy
from typing import Any, Self

from sqlalchemy import Text

from masthead import html
from masthead.errors import ProblemCode, WrongValue
from masthead.schemas.cleaning import clean_text
from masthead.schemas.field_types import FieldType
from masthead.settings import Setting, Settings, words
from masthead.unicode.characters import CONTROLS, has_controls, trimmed
from masthead.unicode.normalization import MOST_COMPOSED, normalized

HTML_BYTES = 1024 * 1024
_MAX_ROUNDS = 12

EMBED_HOSTS = Setting(
    "masthead.html.embed_hosts",
    words,
    " ".join(html.DEFAULT_EMBED_HOSTS),
    "Hosts whose players and maps are allowed in content as embedded frames.",
)
DATA_ATTRIBUTES = Setting(
    "masthead.html.data_attributes",
    html.data_names,
    "",
    "Names of data-* attributes that stay in content, separated by blanks, besides those of common"
    " editors; attributes on which scripts act, such as data-hx-get, are refused.",
)


class Html(FieldType):
    """HTML, sanitised by ``masthead.html.clean``, at most ``max_bytes`` bytes as UTF-8.

    ``hosts`` are the allowed hosts of embedded frames, and ``data_attributes`` the names of
    attributes to keep besides those of editors; in the body of an endpoint the settings apply.
    With ``mail`` it is sanitised by ``masthead.html.clean_email``, which keeps style sheets and
    head but no frames.
    """

    column_type = Text()

    def __init__(
        self,
        max_bytes: int = HTML_BYTES,
        *,
        hosts: tuple[str, ...] = (),
        data_attributes: tuple[str, ...] = (),
        mail: bool = False,
    ) -> None:
        self.max_bytes = max_bytes
        self.hosts = hosts
        self.data_attributes = data_attributes
        self.mail = mail

    def bound(self, settings: Settings) -> Self:
        clone = copy(self)
        clone.hosts = settings[EMBED_HOSTS]
        clone.data_attributes = settings[DATA_ATTRIBUTES]
        return clone

    def parse(self, value: Any) -> str:
        cleaned = self.cleaned(value)
        if not cleaned:
            raise WrongValue(ProblemCode.REQUIRED, "Required")
        return cleaned

    def cleaned(self, value: Any) -> str:
        """Return the HTML to store, possibly empty; raises ``ValueError`` as ``parse`` does."""
        if isinstance(value, str) and len(value) > MOST_COMPOSED * self.max_bytes:
            raise self._too_long()
        text = clean_text(value)
        for _ in range(_MAX_ROUNDS):
            self._check_size(text)
            cleaned = self._sanitised(text)
            if cleaned == text:
                # Neither the input nor a text of a later round has characters to remove.
                return trimmed(text)
            # Character references can produce control characters, which disguise a word
            # ("fi&#12;xed"), and characters that NFC composes, even with a bracket of markup
            # ("&#x338;" after ">"). If removing them changes the text, it must be cleaned again.
            text = normalized(CONTROLS.sub("", cleaned) if has_controls(cleaned) else cleaned)
            if text == cleaned:
                # Escaping makes the text longer, and stored text must be accepted when sent again.
                self._check_size(trimmed(text))
                return trimmed(text)
        raise WrongValue(ProblemCode.TOO_COMPLEX, "HTML is too complex to be sanitised")

    def _too_long(self) -> WrongValue:
        message = f"At most {self.max_bytes} bytes"
        return WrongValue(ProblemCode.TOO_LONG, message, limit=self.max_bytes)

    def _sanitised(self, text: str) -> str:
        try:
            if self.mail:
                return html.clean_email(text)
            return html.clean(text, self.hosts, self.data_attributes)
        except ValueError as error:
            raise WrongValue(ProblemCode.TOO_COMPLEX, str(error)) from None

    def _check_size(self, text: str) -> None:
        if len(text.encode()) > self.max_bytes:
            raise self._too_long()

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "minLength": 1, "contentMediaType": "text/html"}
