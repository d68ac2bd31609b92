"""Settings that can't work stop the start."""

from __future__ import annotations

import pytest

from masthead import StartError
from masthead.instance import open_instance


@pytest.mark.parametrize("name", ["fastly_token", "cloudflare_token"])
def test_the_dots_of_an_example_are_no_token(name: str) -> None:
    with pytest.raises(StartError, match="expected letters, digits or signs") as refused:
        open_instance({f"masthead.cdn.{name}": "hush\u2026"}, {})

    assert "hush" not in str(refused.value)
