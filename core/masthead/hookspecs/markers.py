"""The markers of hook specifications and of hook implementations."""

from __future__ import annotations

import pluggy

hookspec = pluggy.HookspecMarker("masthead")
hookimpl = pluggy.HookimplMarker("masthead")
