"""The hooks of newsletters."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy.orm import Session

from masthead import (
    Approvable,
    Chore,
    Endpoint,
    Job,
    Resource,
    SitemapEntry,
    endpoints_in,
    hookimpl,
)
from masthead_email.newsletters import archive_views, click_views, views
from masthead_email.newsletters.archive import sitemap_entries
from masthead_email.newsletters.resource import NEWSLETTER_TYPE, NEWSLETTERS
from masthead_email.newsletters.sending import is_any_due, send_due
from masthead_email.sent_mail.summaries import summary_jobs


@hookimpl
def masthead_content_types() -> list[Approvable]:
    """Return the type of newsletters, which need approval before they are sent."""
    return [NEWSLETTER_TYPE]


@hookimpl
def masthead_resources() -> list[Resource]:
    """Return the resource of newsletters."""
    return [NEWSLETTERS]


@hookimpl
def masthead_jobs() -> list[Job | Chore]:
    """Return the chore that sends scheduled newsletters, and the job that summarises sent ones."""
    return [
        Chore("email.newsletters", timedelta(seconds=10), send_due, is_any_due),
        *summary_jobs(),
    ]


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Return the endpoints of sending, of deliveries, of the archive and of tracked links."""
    return [*endpoints_in(views, archive_views, click_views), *views.DELIVERIES.endpoints()]


@hookimpl
def masthead_sitemap(session: Session) -> list[SitemapEntry]:
    """Return the pages of the archive."""
    return sitemap_entries(session)
