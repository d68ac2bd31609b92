"""Checking many addresses gives what checking each of them gives."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from masthead import Email
from masthead_email.subscribers.checking import Addresses

DOMAINS = ["example.org", "EXAMPLE.net", "x", "a..b", "-a.org", "a-.org", "xn--bcher-kva.example"]
DOMAINS += ["localhost", "mail.local", "example.test", "1.2.3.4", "ex.123", "ab--cd.org", "é.org"]
LOCAL = st.text("aZ0.+_-'!@\" é", max_size=66) | st.text(max_size=8)


def outcome(check: object, text: str) -> str | None:
    try:
        return check(text)  # type: ignore[operator, no-any-return]
    except ValueError:
        return None


@given(st.lists(st.tuples(LOCAL, st.sampled_from(DOMAINS) | LOCAL), min_size=1, max_size=5))
@example([("a" * 64, "example.org"), ("a" * 65, "example.org"), (" A", "Example.ORG ")])
@settings(deadline=None)
def test_each_address_is_judged_as_alone(parts: list[tuple[str, str]]) -> None:
    addresses = Addresses()

    for local, domain in parts * 2:
        text = f"{local}@{domain}"
        assert outcome(addresses.check, text) == outcome(Email().parse, text)


@pytest.mark.parametrize("text", ["", "ada", "@example.org", "ada@", "a@b@example.org", "a@x"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"Required|Must be an e-mail address"):
        Addresses().check(text)
