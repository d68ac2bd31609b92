"""Podcasts as a plugin: a content type, which gets endpoints, approval and search from core."""

from masthead import Approvable, ContentType, Enclosure, Feed, Plugin, hookimpl
from masthead_podcasts.models import Base, Episode

PODCASTS = ContentType(
    name="podcasts",
    label="Podcast Episode",
    model=Episode,
    order="-publishedAt",
    related_by=("season",),
    feed=Feed(date="publishedAt", enclosure=Enclosure("audioUrl", "audioType", "audioBytes")),
)


@hookimpl
def masthead_content_types() -> list[Approvable]:
    """Return the content type of episodes."""
    return [PODCASTS]


plugin = Plugin("podcasts", hooks=(__name__,), base=Base, migrations="masthead_podcasts.migrations")
