"""The command that lists the hooks and their implementations."""

from __future__ import annotations

import inspect
from pathlib import Path

import click
import pluggy

from masthead.console.context import config_option, open_from
from masthead.console.table import show_table
from masthead.hookspecs import declaring
from masthead.instance import Instance
from masthead.telemetry.hook_calls import plugin_of


@click.command()
@click.argument("name", default="")
@config_option
def hooks(name: str, config: Path | None) -> None:
    """List the implementations of hooks by the enabled plugins, in the order of their calls.

    NAME is a hook, such as masthead_publishing; by default, all hooks with implementations are
    listed.
    """
    with open_from(config) as instance:
        found = {it: _implementations(instance, it) for it in _names(instance)}
    if name and name not in found:
        raise click.UsageError(f"there is no hook {name}; masthead hooks lists those in use")
    chosen = {name: found[name]} if name else found
    rows = [
        (hook, plugin_of(each), _order(each), _place(each))
        for hook, implementations in chosen.items()
        for each in implementations
    ]
    show_table(("HOOK", "PLUGIN", "ORDER", "PLACE"), rows)


def _names(instance: Instance) -> list[str]:
    return sorted(name for name in vars(instance.hooks) if name.startswith("masthead_"))


def _implementations(instance: Instance, name: str) -> list[pluggy.HookImpl]:
    found: list[pluggy.HookImpl] = getattr(instance.hooks, name).get_hookimpls()
    # Declarations are collected in the order of the plugins; pluggy calls the last one first.
    return found if hasattr(declaring, name) else found[::-1]


def _order(implementation: pluggy.HookImpl) -> str:
    names = ("tryfirst", "trylast", "wrapper")
    return " ".join(name for name in names if getattr(implementation, name)) or "-"


def _place(implementation: pluggy.HookImpl) -> str:
    function = inspect.unwrap(implementation.function)
    return f"{function.__module__}:{function.__code__.co_firstlineno}"
