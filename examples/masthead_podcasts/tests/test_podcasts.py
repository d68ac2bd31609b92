"""Episodes keep what every content type keeps."""

from masthead.testing import ContentTypeContract
from masthead_podcasts.plugin import PODCASTS


class TestPodcasts(ContentTypeContract):
    content_type = PODCASTS
