"""News fulfils the contract of content types."""

from __future__ import annotations

import pytest

from masthead.testing import ContentTypeContract
from masthead_news.plugin import NEWS

pytestmark = pytest.mark.product


class TestNews(ContentTypeContract):
    content_type = NEWS
