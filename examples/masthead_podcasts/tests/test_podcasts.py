"""Episodes fulfil the contract of content types."""

from masthead.testing import ContentTypeContract
from masthead_podcasts.plugin import PODCASTS


class TestPodcasts(ContentTypeContract):
    content_type = PODCASTS
