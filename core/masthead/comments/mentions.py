"""Mentions: ``@ada`` in a comment notifies the user, and so does ``@"ada lovelace"``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from masthead.approval.declaration import Approvable
from masthead.auth.approvers import approvers
from masthead.auth.models import User
from masthead.db import fold
from masthead.notifications.services import holders
from masthead.schemas.field_types import TITLE

_MENTION = re.compile(r'(?<![\w@])@(?:"([^"\n]+)"|([^\s"]+))')
_END = re.compile(r"\W")
_MOST = 50
"""The number of mentions in a text that count, the first ones."""


def mentioned_users(session: Session, kind: Approvable, text: str) -> list[int]:
    """Return the ids of the mentioned users, as far as they may read items of a type."""
    names = [_names(*found.groups()) for found in _MENTION.finditer(text)][:_MOST]
    wanted = {key for keys in names for key in keys}
    if not wanted:
        return []
    may_read = or_(
        User.id.in_(holders(kind.read_permission)), User.id.in_(approvers(kind.name))
    ).label("may_read")
    found = select(User.username_key, User.id, may_read).where(User.username_key.in_(wanted))
    users = {key: (user_id, readable) for key, user_id, readable in session.execute(found)}
    named = (next((users[key] for key in keys if key in users), (0, False)) for keys in names)
    return sorted({user_id for user_id, readable in named if readable})


def _names(quoted: str | None, word: str | None) -> Sequence[str]:
    """Return the folded names that a mention can mean, the longest first.

    A name without blanks ends at the end of the word or before any sign in it, such as a full stop.
    """
    if quoted is not None:
        return [fold(quoted)]
    word = (word or "")[: TITLE + 1]
    ends: Iterable[int] = (found.start() for found in _END.finditer(word))
    return [fold(word[:end]) for end in sorted({len(word), *ends}, reverse=True) if end]
