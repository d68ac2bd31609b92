"""The log of hook calls, for authors of plugins: ``masthead.log.levels = masthead.hooks:DEBUG``."""

from __future__ import annotations

import logging
from threading import local
from time import perf_counter
from typing import Any

import pluggy

logger = logging.getLogger("masthead.hooks")


def log_hook_calls(manager: pluggy.PluginManager) -> None:
    """Log each later call of a hook with its plugins and its duration, if the logger is for that.

    Otherwise calls cost nothing more. Declaring hooks aren't called by the manager.
    """
    if not logger.isEnabledFor(logging.DEBUG):
        return
    thread = local()

    def before(_name: str, _implementations: Any, _arguments: Any) -> None:
        # A hook may call another one.
        thread.begun = [*getattr(thread, "begun", ()), perf_counter()]

    def after(result: Any, name: str, implementations: Any, _arguments: Any) -> None:
        milliseconds = (perf_counter() - thread.begun.pop()) * 1000
        called = dict.fromkeys(plugin_of(each) for each in reversed(implementations))
        outcome = "" if result.exception is None else f", {type(result.exception).__name__}"
        plugins = ", ".join(called) or "no plugin"
        logger.debug("%s: %s (%.1f ms%s)", name, plugins, milliseconds, outcome)

    manager.add_hookcall_monitoring(before, after)


def plugin_of(implementation: pluggy.HookImpl) -> str:
    """Return the name of the plugin of an implementation."""
    return implementation.plugin_name.partition(":")[0]
