"""The warning about a Python with a known vulnerability."""

from __future__ import annotations

import pytest

from masthead.cli.runtime import vulnerable_python


@pytest.mark.parametrize(
    ("version", "first_safe"),
    [
        ((3, 11, 7), "3.11.16"),
        ((3, 11, 15), "3.11.16"),
        ((3, 12, 13), "3.12.14"),
        ((3, 13, 0), "3.13.14"),
        ((3, 14, 5), "3.14.6"),
    ],
)
def test_a_vulnerable_release_is_named_with_the_first_safe_one(
    version: tuple[int, int, int], first_safe: str
) -> None:
    message = vulnerable_python(*version)

    assert message is not None
    assert message.startswith("Python {}.{}.{} is vulnerable".format(*version))
    assert f"{first_safe} or newer is safe" in message


@pytest.mark.parametrize(
    "version", [(3, 11, 16), (3, 12, 14), (3, 13, 14), (3, 14, 6), (3, 15, 0), (4, 0, 0)]
)
def test_a_safe_release_causes_no_warning(version: tuple[int, int, int]) -> None:
    assert vulnerable_python(*version) is None
