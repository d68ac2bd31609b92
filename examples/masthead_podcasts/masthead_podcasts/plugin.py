"""How podcast episodes join Masthead: a declaration, which Masthead does the rest for."""

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


class Hooks:
    """What this plugin answers to Masthead's hooks."""

    @hookimpl
    def masthead_content_types(self) -> list[Approvable]:
        """Episodes."""
        return [PODCASTS]


plugin = Plugin("podcasts", hooks=(Hooks(),), base=Base, migrations="masthead_podcasts.migrations")
