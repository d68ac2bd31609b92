"""The setting of choosing a new password."""

from __future__ import annotations

import re

from masthead import Setting

_PATH = re.compile(r"/(?!/)[^\s\\<>\"]*")


def _path(value: str) -> str:
    path = value.strip()
    if not _PATH.fullmatch(path) or path.count("{token}") != 1:
        raise ValueError("a path such as /staff/reset-password?token={token}")
    return path


RESET_PATH = Setting(
    "masthead.email.reset_path",
    _path,
    "/staff/reset-password?token={token}",
    "Where the website lets staff choose a new password; who forgot theirs is mailed a link to it."
    " The page sends the token to POST /api/auth/reset-password.",
    shows=False,
)
