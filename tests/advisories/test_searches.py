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


@pytest.mark.parametrize("text", SQL)
@pytest.mark.parametrize("name", ["search", "tag", "limit", "status"])
def test_cwe_89_sql_in_a_parameter_is_text(news: Desk, text: str, name: str) -> None:
    """CWE-89: a parameter was a part of the statement, or of a query of the search engine."""
    news.create_public(title="Kept")

    answer = news.client.get("/api/news", {name: text}, status=[200, 400])
    news.client.get("/api/staff/news", {name: text}, status=[200, 400])

    if answer.status_int == 200 and name != "status":
        assert answer.json == []
    assert [item["title"] for item in news.public_list()] == ["Kept"]


@pytest.mark.parametrize("name", ["order", "order_by", "sort", "orderBy", "sort[]", "group_by"])
def test_cve_2019_7164_no_parameter_is_an_order(news: Desk, name: str) -> None:
    """CVE-2019-7164 (SQLAlchemy), CVE-2021-35042 (Django): the order of a list was SQL."""
    news.create_public(title="A")
    news.create_public(title="B")
    plain = news.client.get("/api/news").json

    for value in ("-title", "title;SELECT 1", "(CASE WHEN 1=1 THEN id ELSE title END)", "password"):
        assert news.client.get("/api/news", {name: value}).json == plain


@pytest.mark.parametrize(
    "query",
    [
        "_connector=OR 1=1 OR",
        "_negated=True",
        "title__regex=.*",
        "published=False",
        "search[0;select 1;]=a",
        "tag[]=a&tag[]=b",
        "search[$ne]=a",
        "id__in=1,2",
    ],
)
def test_cve_2025_64459_no_name_of_a_parameter_is_sql(news: Desk, query: str) -> None:
    """CVE-2025-64459 (Django), CVE-2014-3704 (Drupal): names of parameters reached the SQL."""
    news.create_public(title="A")
    news.create(title="Draft")

    assert [item["title"] for item in news.client.get(f"/api/news?{query}").json] == ["A"]


@pytest.mark.parametrize("name", ["title'); --", 'title" = 1 --', "a.b", "$.a", "title__in"])
def test_cve_2024_42005_no_key_of_a_body_is_sql(news: Desk, name: str) -> None:
    """CVE-2024-42005, CVE-2022-28346 (Django): keys of a client were names of columns."""
    made = news.create(**{name: "Changed"})

    assert "Changed" not in str(news.show(made["id"]))


@pytest.mark.parametrize("text", ["%", "_", "*", "?", ".", "[a-z]", "^", "a%", "Apf_l", "%pfel%"])
def test_cwe_943_wildcards_are_no_wildcards(news: Desk, editor: Client, text: str) -> None:
    """CWE-943: the wildcards of LIKE in a search found everything, and took long to match."""
    news.create_public(title="Apfel")
    editor.post_json("/api/staff/contacts", {"name": "Apfel", "email": "apfel@example.org"})

    found: list[Any] = news.public_list(search=text)
    found += editor.get("/api/staff/contacts", {"search": text}).json
    assert found == [] or text == "a%"


@pytest.mark.parametrize(
    "piece", ["a ", "a", '"', "(", "*", "-", "OR ", "a:", "\u0e01", "漢", "\u3042 ", "é"]
)
def test_cve_2024_39317_a_search_has_a_largest_length(news: Desk, piece: str) -> None:
    """CVE-2024-39317 (Wagtail): parsing a long, crafted search took exponential time."""
    news.create_public(title="Apfel")
    longest = (piece * 200)[:200].strip()

    news.client.get("/api/news", {"search": longest})
    error = news.client.get("/api/news", {"search": "a" + longest + "a"}, status="*")
    assert error.status_int == 400 or len(longest) < 199


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
