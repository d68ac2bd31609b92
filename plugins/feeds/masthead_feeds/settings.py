"""The settings of feeds, sitemap and crawlers."""

from __future__ import annotations

from masthead import Setting, boolean, integer, text

TITLE = Setting(
    "masthead.feeds.title",
    text,
    "Website",
    "The name of the website, which the titles of its feeds begin with, until staff set the name of"
    " the organisation.",
)
DESCRIPTION = Setting(
    "masthead.feeds.description",
    text,
    "",
    "The description of the feeds, a sentence, until staff set the description or the tagline of"
    " the organisation; blank means their title.",
)
LANGUAGE = Setting(
    "masthead.feeds.language",
    text,
    "",
    "The language of the content, such as en or pt-BR, until staff set the language of the"
    " organisation; blank if there are several.",
)
CRAWLERS = Setting(
    "masthead.feeds.crawlers",
    boolean,
    "true",
    "Whether robots.txt allows crawlers; set it to false for a test instance.",
)
SITEMAP_SIZE = Setting(
    "masthead.feeds.sitemap_size",
    integer(1, 50_000),
    "50000",
    "The maximum number of addresses in a sitemap; above it, the sitemap is an index of parts.",
)
