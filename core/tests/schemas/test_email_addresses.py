"""Plain addresses, whose domains are cached, are judged as the validator judges them."""

from __future__ import annotations

import email_validator
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from masthead.schemas.email_addresses import normalize_address

DOMAINS = ["example.org", "EXAMPLE.net", "x", "a..b", "-a.org", "a-.org", "xn--bcher-kva.example"]
DOMAINS += ["localhost", "mail.local", "example.test", "1.2.3.4", "ex.123", "ab--cd.org", "é.org"]
LOCAL = st.text("aZ0.+_-'!@\" é", max_size=66) | st.text(max_size=8)


def expected(text: str) -> str | None:
    try:
        found = email_validator.validate_email(
            text, check_deliverability=False, test_environment=True, strict=True
        )
    except email_validator.EmailNotValidError:
        return None
    return found.normalized.lower()


def outcome(text: str) -> str | None:
    try:
        return normalize_address(text)
    except ValueError:
        return None


@given(LOCAL, st.sampled_from(DOMAINS) | LOCAL)
@example("a" * 64, "example.org")
@example("a" * 65, "example.org")
@example("a", f"{'a' * 60}.{'b' * 36}.org")
@example("Ada.Byron", "Example.ORG")
@settings(max_examples=300)
def test_an_address_is_normalized_or_refused_as_by_the_validator(local: str, domain: str) -> None:
    text = f"{local}@{domain}"

    # The second call finds the domain in the cache.
    assert [outcome(text), outcome(text)] == [expected(text)] * 2


@pytest.mark.parametrize("text", ["", "ada", "@example.org", "ada@", "a@b@example.org", "a@x"])
def test_text_that_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="Must be an e-mail address"):
        normalize_address(text)
