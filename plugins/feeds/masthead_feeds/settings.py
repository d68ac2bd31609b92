"""What a deployer says about feeds and crawlers."""

from __future__ import annotations

from masthead import Setting, boolean, integer, text

TITLE = Setting(
    "masthead.feeds.title",
    text,
    "Website",
    "The name of the website in the titles of its feeds.",
)
DESCRIPTION = Setting(
    "masthead.feeds.description",
    text,
    "",
    "What the feeds say of themselves in a sentence; blank means their title.",
)
LANGUAGE = Setting(
    "masthead.feeds.language",
    text,
    "",
    "The language of the content, as in en or pt-BR; blank where there are several.",
)
CRAWLERS = Setting(
    "masthead.feeds.crawlers",
    boolean,
    "true",
    "Whether search engines may read this; false is for a copy that is only tried out.",
)
SITEMAP_SIZE = Setting(
    "masthead.feeds.sitemap_size",
    integer(1, 50_000),
    "50000",
    "The most addresses in one sitemap; where there are more, it becomes an index of several.",
)
