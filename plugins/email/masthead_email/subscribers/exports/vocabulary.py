"""Recognise columns that may say who has unsubscribed, although no tool of the table has them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

from masthead import fold
from masthead_email.subscribers.exports.known_columns import STATUS_COLUMNS
from masthead_email.subscribers.exports.status_columns import NO, YES, compact

HARMLESS = frozenset(
    map(
        compact,
        (
            # Facts about subscribers that aren't their status.
            *("Subscriber ID", "Subscription ID", "Subscriber rating", "Member rating"),
            *("Subscriber hash", "Consent to track", "Unsubscribe link", "bounceCount"),
            *("UNSUB_CAMPAIGN_TITLE", "UNSUB_CAMPAIGN_ID", "CLEAN_CAMPAIGN_TITLE"),
            *("CLEAN_CAMPAIGN_ID", "Marital status", "last_subscribed_at", "optedin"),
            *("soft_bounce_count", "Marketing emails bounced", "Emails bounced"),
            *("Marketing emails delivered", "Opt-in IP", "htmlEmail", "digest_enabled"),
            # Paid subscriptions: whoever doesn't pay still gets the free newsletter.
            *(
                "active_subscription",
                "complimentary_plan",
                "subscription_type",
                "Subscription type",
            ),
            *("subscription_interval", "subscription_expires_at", "subscription_tier", "plan"),
            *("stripe_subscription_id", "is_comp", "is_gift", "is_founding"),
            # Facts about persons in NationBuilder.
            *("is_volunteer", "is_donor", "is_fundraiser", "is_supporter", "is_prospect"),
            *("is_ignore_donation_limits", "is_leaderboardable", "is_profile_private"),
            *("is_survey_question_private", "is_twitter_follower", "is_possible_duplicate"),
            *("is_absentee_voter", "is_active_voter", "is_early_voter", "federal_donotcall"),
            *("is_permanent_absentee_voter", "email2_is_bad", "email3_is_bad", "email4_is_bad"),
            *("email1_is_confirmed",),
            # Columns of address books.
            *("Sensitivity", "Priority", "Private", "Privat", "Vertraulichkeit"),
        ),
    )
)
"""The compact names of columns that never say who has unsubscribed."""

_OTHER_CHANNEL = re.compile(r"\b(?:sms|mobile|mobil|phone|whatsapp|call|fax|postal|donotcall)\b")
_ABOUT_STATUS = re.compile(
    r"subscri|unsub|opt ?in\b|opt ?out|opted|consent|bounc|complain|blacklist|blocklist"
    r"|(?:black|block) list|suppress|permission|\bgdpr|dsgvo|rgpd|do not|no (?:e ?)?mail"
    r"|mailable|accepts|marketing (?:contact|e ?mail|status)|newsletter|mailing ?list|\bspam\b"
    r"|\bstatus\b|\bstatut\b|\bstato\b|\b(?:in)?activ[eo]?\b|\b(?:in)?aktiv\b|\b(?:in)?actif\b"
    r"|\b(?:in)?attivo\b|\b(?:in)?actief\b|\b(?:un)?confirmed\b|\bcleaned\b|\bdeleted\b"
    r"|undeliver|quarantine|\binvalid\b|\bremoved\b|\bdisabled\b|\bblocked\b"
    # German
    r"|abgemeldet|angemeldet|abmeld|anmeld|einwillig|zustimm|abonn|abbestell|widerruf|gesperrt"
    r"|ausgetragen|unzustell|bestatig|\bwerbung"
    # French, Spanish, Portuguese, Italian, Dutch
    r"|inscri|consentement|suscri|suscripcion|\bbaja\b|consentim|descadastr|iscri|consenso"
    r"|cancellat|cancelad|uitgeschreven|uitschrij|inschrij|ingeschreven|afgemeld|aangemeld"
    r"|toestemming"
    # Scandinavian, Finnish, Polish, Czech, Hungarian, Turkish
    r"|samtyk|samtyck|prenumer|avmeld|pameld|suostumu|\bzgoda|wypisan|subskry|souhlas|odhlas"
    r"|hozzajarul|feliratk|leiratk|\babone|\bonay"
    # Greek, Cyrillic, Arabic, Hebrew, Japanese, Chinese, Korean
    r"|συγκαταθ|εγγραφ|подпис|отпис|соглас|рассыл|اشتراك|موافقة|הסכמה|מנוי|購読|配信|同意|解除"
    r"|订阅|退订|訂閱|退訂|구독|동의"
)
_CAMEL_CASE = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SEPARATORS = re.compile(r"[\W_]+")
_BOOLEANS = frozenset(map(compact, (*YES, *NO))) - {"0", "1", "x"}
_WORDS = frozenset(
    word
    for column in STATUS_COLUMNS.values()
    for word, meaning in column.compared.items()
    if column.other is None and word and meaning is not None
)
_GENERAL = frozenset(
    {
        "active",
        "inactive",
        "enabled",
        "disabled",
        "new",
        "pending",
        "confirmed",
        "paused",
        "regular",
        "premium",
        "gifted",
        "removed",
        "archived",
        "spam",
        "junk",
        "invalid",
        "deleted",
        "express",
        "implied",
        "explicit",
        "implicit",
        "upcoming",
        "unpaid",
        "blocked",
        "cancelled",
        "canceled",
        "cancelado",
        "cancellato",
    }
)
"""Words that many columns have, so that one of them alone says nothing."""
_CERTAIN = _WORDS - _GENERAL - _BOOLEANS - {"0", "1", "2", "x"}


def may_tell_status(name: str, values: Collection[str] | None) -> bool:
    """Whether a column may say who has unsubscribed.

    :param name: its name in the header.
    :param values: its values that aren't blank; None if there are many.
    """
    if compact(name) in HARMLESS or (values is not None and not values):
        return False
    words = plain(name)
    if _OTHER_CHANNEL.search(words):
        return False
    if _ABOUT_STATUS.search(words):
        return True
    if values is None:
        return False
    found = set(map(compact, values))
    return bool(found & _CERTAIN) or found <= _BOOLEANS or found <= _GENERAL


def plain(name: str) -> str:
    """Return a name in lower case with single blanks between words, without accents."""
    spaced = _SEPARATORS.sub(" ", fold(_CAMEL_CASE.sub(" ", name)))
    letters = unicodedata.normalize("NFD", spaced)
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return unicodedata.normalize("NFC", bare).strip()
