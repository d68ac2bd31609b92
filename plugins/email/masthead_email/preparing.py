"""Rendering a mail before the transaction that sends it, because it can take seconds.

SQLite has one write lock, which must not be held while styles are inlined.
"""

from __future__ import annotations

from typing import Protocol, TypeVar

from sqlalchemy.orm import Session

from masthead import NotFound, Refused, instance_of, texts_of
from masthead_email.outbox.messages import mail_html, render_letter
from masthead_email.rendering.rendered_message import RenderedMessage


class Written(Protocol):
    """An item that staff write and send: a newsletter or a composed e-mail."""

    html_content: str
    text_content: str | None

    @property
    def language(self) -> str | None:
        """The tag of its language; None for that of the organisation."""


_Written = TypeVar("_Written", bound=Written)


def read_snapshot(session: Session, model: type[_Written], item_id: int) -> _Written:
    """Read an item outside of the session, so that its transaction doesn't begin.

    :raises NotFound: if it doesn't exist.
    """
    with instance_of(session).database.session(read_only=True) as reading:
        snapshot = reading.get(model, item_id)
    if snapshot is None:
        raise NotFound
    return snapshot


def prepare(session: Session, snapshot: Written, *, unsubscribe: bool) -> RenderedMessage:
    """Render an item; the session executes no statement.

    :param unsubscribe: whether to add a link to ``{{unsubscribe}}`` to parts without one.
    """
    html, text = mail_html(session, snapshot.html_content), snapshot.text_content
    instance = instance_of(session)
    with instance.database.session(read_only=True) as reading:
        texts = texts_of(reading)
    return render_letter(texts, html, text, unsubscribe=unsubscribe, language=snapshot.language)


def is_unchanged(item: _Written, snapshot: _Written) -> bool:
    """Whether the content of an item is that of its snapshot."""
    return _content(item) == _content(snapshot)


def _content(item: Written) -> tuple[str | None, ...]:
    return item.html_content, item.text_content, item.language


def check_unchanged(item: _Written, snapshot: _Written) -> None:
    """Refuse to send an item whose content differs from its snapshot.

    :raises Refused: if it differs.
    """
    if not is_unchanged(item, snapshot):
        raise Refused("It was changed meanwhile: check it, and send it again")
