"""Spans of OpenTelemetry: requests, statements, jobs and mails; without tracing they cost nothing.

The SDK reads its configuration from the environment variables ``OTEL_*``: the exporter's address,
the name of the service, the sampler and so on.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal

from masthead.errors import StartError

Kind = Literal["internal", "server", "client", "producer", "consumer"]
Value = str | int | float | bool

_SERVICE = "OTEL_SERVICE_NAME"


class _Tracing:
    def __init__(self) -> None:
        self.tracer: Any = None
        self.pid = 0


_tracing = _Tracing()


def is_on() -> bool:
    """Whether this process makes spans."""
    return _tracing.tracer is not None and _tracing.pid == os.getpid()


def start(processor: Any = None) -> None:
    """Make spans from now on in this process; repeated calls do nothing.

    Call it after a fork, because spans are sent by a thread.

    :param processor: a ``SpanProcessor`` that gets the spans; by default one that sends them by
        OTLP over HTTP.
    :raises StartError: if the packages of the extra ``tracing`` aren't installed.
    """
    if is_on():
        return
    try:
        from opentelemetry.sdk.resources import SERVICE_NAME, Resource
        from opentelemetry.sdk.trace import TracerProvider
    except ImportError:
        raise StartError("tracing needs the packages of masthead-core[tracing]") from None
    named = {} if os.environ.get(_SERVICE) else {SERVICE_NAME: "masthead"}
    provider = TracerProvider(resource=Resource.create(named))
    provider.add_span_processor(processor or _sender())
    _tracing.tracer, _tracing.pid = provider.get_tracer("masthead"), os.getpid()


def stop() -> None:
    """Make no spans any longer, for tests."""
    _tracing.tracer = None


def _sender() -> Any:
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    return BatchSpanProcessor(OTLPSpanExporter())


@contextmanager
def span(
    name: str,
    kind: Kind = "internal",
    parent: Mapping[str, str] | None = None,
    **attributes: Value,
) -> Iterator[Any]:
    """Measure the block as a span, which is the parent of spans inside; yield it, or None.

    An exception is noted by its class only, because its text may contain personal data.

    :param parent: the headers ``traceparent`` and ``tracestate`` of a request.
    :param attributes: facts about the work, two underscores stand for a dot; nothing personal.
    """
    if not is_on():
        yield None
        return
    from opentelemetry import propagate, trace

    options = {
        "kind": trace.SpanKind[kind.upper()],
        "attributes": _dotted(attributes),
        "context": propagate.extract(parent) if parent else None,
        "record_exception": False,
        "set_status_on_exception": False,
    }
    with _tracing.tracer.start_as_current_span(name, **options) as made:
        try:
            yield made
        except BaseException as error:
            made.set_attribute("error.type", type(error).__name__)
            made.set_status(trace.StatusCode.ERROR)
            raise


def fail_current_span() -> None:
    """Mark the current span as failed, if there is one."""
    if is_on():
        from opentelemetry import trace

        trace.get_current_span().set_status(trace.StatusCode.ERROR)


def add_past_span(
    name: str, kind: Kind, began: int, ended: int, *, failed: bool = False, **attributes: Any
) -> None:
    """Add a span that has ended to the current one; the times are nanoseconds since 1970.

    Without a current span it adds nothing: statements outside of requests and jobs, such as those
    of a heartbeat, would each be a trace.
    """
    if not is_on():
        return
    from opentelemetry import trace

    if not trace.get_current_span().get_span_context().is_valid:
        return
    made = _tracing.tracer.start_span(
        name,
        kind=trace.SpanKind[kind.upper()],
        attributes=_dotted(attributes),
        start_time=began,
    )
    if failed:
        made.set_status(trace.StatusCode.ERROR)
    made.end(ended)


def _dotted(attributes: Mapping[str, Value]) -> dict[str, Value]:
    """Return attributes under their names in OpenTelemetry: ``http__route`` is ``http.route``."""
    return {name.replace("__", "."): value for name, value in attributes.items()}
