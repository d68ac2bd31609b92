"""Reports about queries: SQL in parameters, wildcards, and searches that cost too much."""

from __future__ import annotations

from typing import Any

import pytest

from masthead.testing import Client, Desk

SQL = [
    "' OR '1'='1",
    "'; DROP TABLE news_article; --",
    '" OR ""="',
    "1) UNION SELECT password FROM core_user --",
    "\\'; SELECT pg_sleep(9); --",
    "%' AND 1=1 --",
    "{{7*7}} || randomblob(1000000000)",
    "$$;SELECT 1;$$",
    "a\\",
    "NEAR(a b, 5)",
    'title:"a" OR *',
    "a:* & !b | (c",
]


def test_cwe_89_sql_in_a_parameter_is_text(news: Desk) -> None:
    """CWE-89: a parameter was a part of the statement, or of a query of the search engine."""
    news.create_public(title="Kept")

    for text in SQL:
        for name in ("search", "tag", "limit"):
            answer = news.client.get("/api/news", {name: text}, status=[200, 400])
            assert answer.status_int == 400 or answer.json == []
            news.client.get("/api/staff/news", {name: text}, status=[200, 400])
    assert [item["title"] for item in news.public_list()] == ["Kept"]


def test_cve_2019_7164_no_parameter_is_an_order(news: Desk) -> None:
    """CVE-2019-7164 (SQLAlchemy), CVE-2021-35042 (Django): the order of a list was SQL."""
    news.create_public(title="A")
    news.create_public(title="B")
    plain = news.client.get("/api/news").json
    values = ["title;SELECT 1", "(CASE WHEN 1=1 THEN id ELSE title END)", "password"]

    for value in values:
        news.client.get("/api/news", {"sort": value}, status=400)
    for name in ("order", "order_by", "orderBy", "sort[]", "group_by"):
        for value in ("-title", *values):
            assert news.client.get("/api/news", {name: value}).json == plain


def test_cve_2025_64459_no_name_of_a_parameter_is_sql(news: Desk) -> None:
    """CVE-2025-64459 (Django), CVE-2014-3704 (Drupal): names of parameters reached the SQL."""
    news.create_public(title="A")
    news.create(title="Draft")

    for query in [
        "_connector=OR 1=1 OR",
        "_negated=True",
        "title__regex=.*",
        "published=False",
        "search[0;select 1;]=a",
        "tag[]=a&tag[]=b",
        "search[$ne]=a",
        "id__in=1,2",
    ]:
        assert [item["title"] for item in news.client.get(f"/api/news?{query}").json] == ["A"]


def test_cve_2024_42005_no_key_of_a_body_is_sql(news: Desk) -> None:
    """CVE-2024-42005, CVE-2022-28346 (Django): keys of a client were names of columns."""
    for name in ["title'); --", 'title" = 1 --', "a.b", "$.a", "title__in"]:
        changed: dict[str, Any] = {name: "Changed"}
        made = news.create(**changed)
        assert "Changed" not in str(news.show(made["id"]))


def test_cwe_943_wildcards_are_no_wildcards(news: Desk, editor: Client) -> None:
    """CWE-943: the wildcards of LIKE in a search found everything, and took long to match."""
    news.create_public(title="Apfel")
    editor.post_json("/api/staff/contacts", {"name": "Apfel", "email": "apfel@example.org"})

    for text in ("%", "_", "*", "?", ".", "[a-z]", "^", "Apf_l", "%pfel%", "x%"):
        assert news.public_list(search=text) == []
        assert editor.get("/api/staff/contacts", {"search": text}).json == []


def test_cve_2024_39317_a_search_has_a_largest_length(news: Desk) -> None:
    """CVE-2024-39317 (Wagtail): parsing a long, crafted search took exponential time."""
    news.create_public(title="Apfel")

    for piece in ("a ", "a", '"', "(", "*", "-", "OR ", "a:", "\u0e01", "漢", "\u3042 ", "é"):
        news.client.get("/api/news", {"search": (piece * 200)[:200]})
        news.client.get("/api/news", {"search": (piece * 300)[:300]}, status=400)


def test_cwe_1333_searches_are_no_patterns(news: Desk) -> None:
    """CWE-1333: a search was a pattern, which took exponential time."""
    news.create_public(title="a" * 60)

    for text in ("(a+)+$", "(a|a)*b", "a{1,9999}", "(?=a)", ".*" * 50):
        assert len(news.public_list(search=text)) <= 1


@pytest.mark.parametrize("name", ["tag", "search"])
def test_cwe_235_a_repeated_parameter_has_one_value(news: Desk, name: str) -> None:
    """CWE-235: a firewall checked the first of two parameters, the application used the second."""
    news.create_public(title="Apfel")
    last = {"tag": "none", "search": "none"}[name]

    assert news.client.get(f"/api/news?{name}=&{name}={last}").json == []
