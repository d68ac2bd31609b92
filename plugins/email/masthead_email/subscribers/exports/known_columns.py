"""All known columns about the status: those of the tools, and those of tables made by hand."""

from __future__ import annotations

from masthead_email.subscribers.exports.status_columns import flag, merge, since, words
from masthead_email.subscribers.exports.tools import TOOLS
from masthead_email.subscribers.models import (
    BOUNCED,
    COMPLAINED,
    LEFT,
    PENDING,
    REMOVED,
    SUBSCRIBED,
)

GENERAL = (
    words(
        "status",
        "subscriber status",
        "subscription",
        "subscription status",
        "newsletter status",
        "list status",
        "global status",
        "newsletter",
        blank=None,
        subscribed="opted in, opt-in, abonniert, angemeldet, abonné, inscrit, suscrito, iscritto, "
        "geabonneerd, ingeschreven, inscrito",
        pending="not confirmed, unbestätigt, nicht bestätigt, en attente, pendiente, in attesa",
        unsubscribed="unsubscribed, opted out, opt-out, blacklisted, blocklisted, abgemeldet, "
        "abbestellt, ausgetragen, désabonné, désinscrit, dado de baja, disiscritto, cancellato, "
        "uitgeschreven, afgemeld, cancelado",
        removed="removed, deleted, suppressed, gelöscht, gesperrt, soft bounce",
        bounced="bounced, bouncing, hard bounced, hard bounce, unzustellbar",
        complained="complained, complaint, spam complaint, spam",
    ),
    words(
        "subscriber status",
        "subscription",
        "newsletter status",
        "list status",
        "global status",
        "newsletter",
        blank=PENDING,
        subscribed="subscribed, active, confirmed",
        pending="unconfirmed, pending",
        removed="inactive",
    ),
    flag(
        "newsletter",
        "opt-in",
        "opted in",
        "email opt-in",
        "is subscribed",
        "consent",
        "email consent",
        "accepts marketing",
        "accepts email marketing",
        yes=SUBSCRIBED,
        no=LEFT,
        blank=PENDING,
    ),
    flag("subscribed", yes=SUBSCRIBED, no=LEFT, blank=PENDING, weak=True),
    since(
        "unsubscribed",
        "is unsubscribed",
        "opt-out",
        "opted out",
        "email opt-out",
        "has opted out of email",
        "unsubscribe date",
        "unsubscribe time",
        "unsubscribed date",
        "unsubscribed on",
        "opt-out date",
        "opt-out time",
        "blocklisted",
        "abgemeldet",
        "abgemeldet am",
        "abmeldedatum",
        meaning=LEFT,
    ),
    since("hard bounced", "hard bounce", "bounced at", "bounce date", meaning=BOUNCED),
    since("complained", "complaint", "complained at", "spam complaint", meaning=COMPLAINED),
    flag("deleted", "suppressed", yes=REMOVED),
)
"""Columns of tables that people make by hand."""

STATUS_COLUMNS = merge(
    [*(column for tool in TOOLS for column in tool.columns), *GENERAL],
)
"""All columns by their compact names."""
