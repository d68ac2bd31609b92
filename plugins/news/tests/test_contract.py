"""News keeps what every content type keeps."""

from __future__ import annotations

from masthead_news.plugin import NEWS

from masthead.testing import ContentTypeContract


class TestNews(ContentTypeContract):
    content_type = NEWS
