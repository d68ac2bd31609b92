"""News fulfils the contract of content types."""

from __future__ import annotations

from masthead.testing import ContentTypeContract
from masthead_news.plugin import NEWS


class TestNews(ContentTypeContract):
    content_type = NEWS
