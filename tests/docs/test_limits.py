"""The table of limits quotes settings that exist, with their defaults."""

from __future__ import annotations

import re
from typing import Any

from masthead.instance import Instance
from masthead.plugins import collect


def test_the_table_of_limits_quotes_each_setting_with_its_default(
    docs: dict[str, Any], instance: Instance
) -> None:
    text = docs["docs/operations.md"].path.read_text("utf-8")
    table = text.split("\n## Limits\n")[1].split("\n## ")[0]
    declared = collect(instance.manager, "masthead_settings")

    quoted = dict(re.findall(r"`(masthead\.[a-z_.]+)` \(`([^`]*)`", table))

    assert quoted.keys() == set(re.findall(r"`(masthead\.[a-z_.]+)`", table))
    defaults = {setting.name: setting.default for _, setting in declared}
    assert quoted == {name: defaults[name] for name in quoted}
