"""The table of newsletter tools: the columns of their exports that say who is subscribed.

The words are those of the tools' documentation and code, see ``source``. Whoever isn't an active
subscriber of the tool is imported as unsubscribed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from masthead_email.subscribers.exports.status_columns import (
    StatusColumn,
    flag,
    since,
    words,
)
from masthead_email.subscribers.models import (
    BOUNCED,
    COMPLAINED,
    LEFT,
    PENDING,
    REMOVED,
    SUBSCRIBED,
)


@dataclass(frozen=True)
class Tool:
    """A newsletter tool."""

    name: str
    source: str
    """The documentation or the code of its export."""
    columns: tuple[StatusColumn, ...]


TOOLS = (
    Tool(
        "Masthead",
        "docs/email.md",
        (
            # A blank cell stands for the default, as in every import.
            words("status", subscribed="subscribed", unsubscribed="unsubscribed"),
            words(
                "unsubscribeKind",
                pending="pending",
                removed="removed",
                unsubscribed="unsubscribed",
                bounced="bounced",
                complained="complained",
            ),
        ),
    ),
    Tool(
        "Mailchimp",
        "https://mailchimp.com/help/view-export-contacts/",
        (
            # Each audience has one file per status, which only these columns tell apart.
            since("UNSUB_TIME", meaning=LEFT, blank=LEFT),
            since("CLEAN_TIME", meaning=BOUNCED, blank=BOUNCED),
            words(
                "status",
                "Email Marketing Status",
                "Email subscription status",
                subscribed="subscribed",
                pending="pending, nonsubscribed, non-subscribed, transactional",
                unsubscribed="unsubscribed",
                bounced="cleaned",
                removed="archived",
            ),
        ),
    ),
    Tool(
        "Brevo",
        "https://developers.brevo.com/reference/request-contact-export",
        (
            flag("EMAIL_BLACKLISTED", "Email blocklisted", "Blocklisted", yes=LEFT),
            words(
                "email_marketing",
                "Email marketing",
                "Email campaigns",
                blank=PENDING,
                subscribed="subscribed",
                unsubscribed="unsubscribed, blocklisted, blacklisted",
            ),
            StatusColumn(
                ("DOUBLE_OPT-IN",),
                {"": None, "1": SUBSCRIBED, "yes": SUBSCRIBED, "2": PENDING, "no": PENDING},
            ),
        ),
    ),
    Tool(
        "Sendy",
        "https://sendy.co/api",
        (
            words(
                "status",
                subscribed="subscribed",
                unsubscribed="unsubscribed",
                pending="unconfirmed",
                bounced="bounced",
                removed="soft bounced",
                complained="complained, marked as spam",
            ),
        ),
    ),
    Tool(
        "Substack",
        "https://support.substack.com/hc/en-us/articles/360058529871",
        (flag("email_disabled", yes=LEFT), since("unsubscribed_at", meaning=LEFT)),
    ),
    Tool(
        "Ghost",
        "https://ghost.org/help/import-members/",
        (
            flag("subscribed_to_emails", yes=SUBSCRIBED, no=LEFT, blank=PENDING),
            since("deleted_at", meaning=REMOVED),
        ),
    ),
    Tool(
        "Buttondown",
        "https://github.com/buttondown/openapi/blob/main/enums.json",
        (
            words(
                "type",
                weak=True,
                blank=PENDING,
                subscribed="regular, premium, trialed, gifted, churning, paused, past_due",
                pending="unactivated, unpaid, churned, upcoming",
                unsubscribed="unsubscribed",
                removed="removed, spammy, blocked",
                bounced="undeliverable",
                complained="complained",
            ),
            since("unsubscription_date", "churn_date", meaning=LEFT),
            since("undeliverability_date", meaning=BOUNCED),
        ),
    ),
    Tool(
        "Action Network",
        "https://help.actionnetwork.org/hc/en-us/articles/207652676",
        (
            words(
                "can2_subscription_status",
                blank=PENDING,
                subscribed="subscribed",
                unsubscribed="unsubscribed",
                removed="previous bounce",
                bounced="bouncing",
                complained="spam complaint, previous spam complaint",
            ),
        ),
    ),
    Tool(
        "NationBuilder",
        "https://nationbuilder.com/what_fields_are_available_for_imports",
        (
            flag("email_opt_in", yes=SUBSCRIBED, no=LEFT, blank=PENDING),
            flag("do_not_contact", "do_not_email", yes=LEFT),
            flag("email1_is_bad", "email_is_bad", "is_email_bad", yes=BOUNCED),
            flag("is_deceased", yes=REMOVED),
            since("unsubscribed_at", meaning=LEFT),
        ),
    ),
    Tool(
        "listmonk",
        "https://listmonk.app/docs/concepts/",
        (
            words("status", subscribed="enabled", removed="disabled", unsubscribed="blocklisted"),
            words(
                "subscription_status",
                blank=PENDING,
                subscribed="confirmed",
                pending="unconfirmed",
                unsubscribed="unsubscribed",
            ),
        ),
    ),
    Tool(
        "Mailtrain",
        "https://github.com/Mailtrain-org/mailtrain/blob/master/server/routes/subscriptions.js",
        (
            words(
                "status",
                subscribed="subscribed",
                unsubscribed="unsubscribed",
                bounced="bounced",
                complained="complained",
            ),
        ),
    ),
    Tool(
        "MailerLite",
        "https://developers.mailerlite.com/docs/subscribers.html",
        (
            words(
                "status",
                subscribed="active",
                pending="unconfirmed",
                unsubscribed="unsubscribed",
                bounced="bounced",
                complained="junk",
            ),
            since("unsubscribed_at", "Date unsubscribed", meaning=LEFT),
        ),
    ),
    Tool(
        "Campaign Monitor",
        "https://www.campaignmonitor.com/forums/topic/636/",
        (
            words(
                "state",
                weak=True,
                blank=PENDING,
                subscribed="active",
                pending="unconfirmed",
                unsubscribed="unsubscribed",
                removed="deleted, suppressed",
                bounced="bounced",
                complained="spam",
            ),
        ),
    ),
    Tool(
        "CleverReach",
        "https://rest.cleverreach.com/explorer/v3/",
        (
            flag("active", "aktiv", yes=SUBSCRIBED, no=LEFT, blank=PENDING),
            words("status", subscribed="active, aktiv", removed="inactive, inaktiv"),
            replace(
                flag("activated", "aktiviert", yes=SUBSCRIBED, no=PENDING, blank=PENDING),
                time=SUBSCRIBED,
            ),
            since("deactivated", "deaktiviert", meaning=LEFT),
            since("bounced", meaning=BOUNCED),
        ),
    ),
    Tool(
        "Constant Contact",
        "https://community.constantcontact.com/t5/Questions-Discussions/m-p/410819",
        (
            words(
                "Email status",
                blank=PENDING,
                subscribed="active",
                pending="awaiting confirmation, pending confirmation, no permissions set, not set, "
                "temporary hold, temp hold",
                unsubscribed="unsubscribed, opted out",
                removed="deleted",
                bounced="bounced",
            ),
            words(
                "Email permission status",
                subscribed="express, explicit, implied, implicit, express permission, "
                "implied permission, active",
                pending="awaiting confirmation, pending confirmation, no permissions set, not set, "
                "temporary hold, temp hold",
                unsubscribed="unsubscribed, opted out",
            ),
            since("Confirmed opt-out date", "Email opt-out date", meaning=LEFT),
            since("Confirmed opt-out source", "Confirmed opt-out reason", meaning=LEFT),
        ),
    ),
    Tool(
        "HubSpot",
        "https://knowledge.hubspot.com/articles/kcs_article/contacts/"
        "how-can-i-delete-contacts-who-have-unsubscribed-or-hard-bounce",
        (
            flag("Unsubscribed from all email", "hs_email_optout", yes=LEFT),
            flag("Portal Unsubscribe", yes=LEFT),
            flag("Portal Spam Report", yes=COMPLAINED),
            since("Portal Bounce", "Global Bounce", meaning=BOUNCED),
            # HubSpot sends nothing more to these addresses, but the mailboxes may be fine.
            since(
                "Email hard bounce reason",
                meaning=BOUNCED,
                removed="content, spam, policy, mailbox full, message too large, ip reputation,"
                " blocklisted, blacklisted, dmarc, spf, dkim, rate limit, throttled, timeout,"
                " temporary problem, greylisting",
            ),
            flag("Invalid email address", yes=BOUNCED),
            since("Email address quarantine reason", "Email address quarantined", meaning=REMOVED),
            StatusColumn(
                ("Marketing contact status",),
                {"": None, "marketing contact": SUBSCRIBED, "non-marketing contact": PENDING},
            ),
        ),
    ),
    Tool(
        "Kit",
        "https://help.convertkit.com/en/articles/2502651-the-subscriber-profile-page-status",
        (
            words(
                "status",
                subscribed="confirmed",
                pending="unconfirmed, cold",
                unsubscribed="cancelled, canceled",
                removed="blocked",
                bounced="bounced",
                complained="complained",
            ),
            words(
                "state",
                weak=True,
                blank=PENDING,
                subscribed="active",
                pending="inactive",
                unsubscribed="cancelled, canceled",
                bounced="bounced",
                complained="complained",
            ),
        ),
    ),
    Tool(
        "Moosend",
        "https://docs.moosend.com/developers/api-documentation/en/index-en.html",
        (
            words(
                "status",
                "Member status",
                subscribed="subscribed",
                unsubscribed="unsubscribed",
                removed="removed, archived",
                bounced="bounced",
            ),
        ),
    ),
    Tool(
        "rapidmail",
        "https://developer.rapidmail.wiki/",
        (
            words(
                "status",
                subscribed="active",
                pending="new",
                unsubscribed="unsubscribed",
                removed="deleted",
                bounced="bounced",
                complained="abused",
            ),
        ),
    ),
    Tool(
        "beehiiv",
        "https://developers.beehiiv.com/api-reference/subscriptions",
        (
            words(
                "status",
                subscribed="active",
                pending="pending, validating, needs_attention",
                unsubscribed="inactive",
                bounced="invalid",
            ),
        ),
    ),
    Tool(
        "phpList",
        "https://www.phplist.org/manual/books/phplist-manual/page/understanding-subscribers-and-lists",
        (
            flag("confirmed", yes=SUBSCRIBED, no=PENDING, blank=PENDING, weak=True),
            flag("blacklisted", yes=LEFT),
            flag("disabled", yes=REMOVED),
        ),
    ),
)
