"""E-mail beside core, and nothing else; and a relay that takes what is sent."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from masthead import Instance, Plugin
from masthead_email.plugin import plugin as email
from masthead_email.settings import TRANSPORT

_spec = importlib.util.spec_from_file_location("sink", Path(__file__).with_name("sink.py"))
assert _spec is not None
assert _spec.loader is not None
sink = sys.modules.setdefault("sink", importlib.util.module_from_spec(_spec))
_spec.loader.exec_module(sink)


@pytest.fixture
def plugins() -> list[Plugin]:
    return [email]


@pytest.fixture
def relay() -> Iterator[Callable[..., Any]]:
    """Starts a relay; gives its behaviour, which tells what came, and its port as ``port``."""
    with ExitStack() as running:

        def start(**options: Any) -> Any:
            behaviour = sink.Behaviour(**options)
            behaviour.port = running.enter_context(sink.sink(behaviour))
            return behaviour

        yield start


@pytest.fixture
def send_by(instance: Instance) -> Callable[[str], None]:
    """Sets the address of the transport, once it is known."""

    def choose(address: str) -> None:
        instance.settings._values[TRANSPORT.name] = address

    return choose
