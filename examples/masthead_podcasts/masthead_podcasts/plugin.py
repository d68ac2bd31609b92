"""How podcast episodes join Masthead: a declaration, which Masthead does the rest for."""

from masthead import Approvable, ContentType, Plugin, hookimpl
from masthead_podcasts.models import Base, Episode

PODCASTS = ContentType(
    name="podcasts",
    label="Podcast Episode",
    model=Episode,
    order="-publishedAt",
    date="publishedAt",
    related_by=("season",),
)


class Hooks:
    """What this plugin answers to Masthead's hooks."""

    @hookimpl
    def masthead_content_types(self) -> list[Approvable]:
        """Episodes."""
        return [PODCASTS]


plugin = Plugin("podcasts", hooks=(Hooks(),), base=Base, migrations="masthead_podcasts.migrations")
