"""The setting of the plugin."""

from __future__ import annotations

from masthead import Setting, words

REQUIRED = Setting(
    "masthead.totp.required",
    words,
    "",
    "Names of roles, separated by blanks, whose users need an authenticator app to log in with a"
    " password; for other users it is a choice.",
    shows=False,
)
