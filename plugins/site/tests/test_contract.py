"""Pages fulfil the contract of resources."""

from __future__ import annotations

from masthead.testing import ResourceContract
from masthead_site.plugin import PAGES


class TestPages(ResourceContract):
    resource = PAGES
