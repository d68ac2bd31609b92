"""The bodies and responses of the endpoints of newsletters."""

from __future__ import annotations

from masthead import Bool, Email, Html, Int, ListOf, Object, Str, Timestamp, required, schema

_LARGEST_PAGE = 8 * 1024 * 1024
"""The largest HTML of the archive in bytes; filling in makes a letter longer."""
SCHEDULE = schema(
    {
        "scheduled_send_at": required(
            Timestamp(),
            nullable=True,
            help="The time at which it is to be sent; null makes it a draft again.",
        )
    },
    name="NewsletterSchedule",
    help="The time of a newsletter.",
)
TEST = schema(
    {"email": required(Email(), help="The address that gets the test.")},
    name="NewsletterTest",
    help="The recipient of a test.",
)
AUDIENCE = schema(
    {"count": required(Int(0), help="The number of subscribers who would get it now.")},
    name="NewsletterAudience",
    help="The size of the audience.",
)
TESTED = schema(
    {
        "success": required(Bool(), help="Always true; an error has another answer."),
        "mistakes": required(ListOf(Str()), help="Mistakes in the letter, for humans.", example=[]),
    },
    name="NewsletterTested",
    help="The test was sent.",
)
_SUMMARY = {
    "id": required(Int(1), help="The id of the newsletter."),
    "title": required(Str(), help="The title.", example="News in March"),
    "subject": required(Str(), help="The subject.", example="News in March"),
    "language": required(Str(), help="The tag of its language.", example="en"),
    "sentAt": required(Timestamp(), nullable=True, help="The time at which it was sent."),
    "url": required(Str(), help="The address of its page.", example="/api/newsletters/1/page"),
}
ARCHIVE = ListOf(
    Object(
        schema(
            _SUMMARY,
            name="ArchivedNewsletterSummary",
            help="A newsletter in a list of the archive.",
        )
    )
)
PAGE_HTML = Html(_LARGEST_PAGE)
ARCHIVED = schema(
    {
        **_SUMMARY,
        "html": required(PAGE_HTML, help="The letter as HTML that is safe within a page."),
    },
    name="ArchivedNewsletter",
    help="A newsletter of the archive.",
)
