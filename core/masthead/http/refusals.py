"""The exception views: every exception becomes an error response here."""

from __future__ import annotations

import logging

from pyramid.config import Configurator
from pyramid.httpexceptions import HTTPException, HTTPForbidden, HTTPNotFound
from pyramid.response import Response
from pyramid_retry import is_last_attempt
from pyramid_tm import is_tm_active
from sqlalchemy.exc import SQLAlchemyError

from masthead.db.outage import one_line
from masthead.db.waits import BUSY, Trouble, disk_trouble_of, trouble_of
from masthead.errors import Refusal, RetryLater
from masthead.faults import in_plugin
from masthead.http.endpoints import RefusalPage
from masthead.http.environ import REQUEST_ID, ROUTE
from masthead.http.idempotency import Repeated, answer_repeated
from masthead.http.observed import RETRIED
from masthead.http.request import Request
from masthead.http.wire import error_response
from masthead.telemetry.metrics import OTHER

logger = logging.getLogger(__name__)

_READING = ("GET", "HEAD", "OPTIONS")


def includeme(config: Configurator) -> None:
    """Answer every exception with ``{"error": message}``, or with the endpoint's page.

    ``config.registry["masthead.instance"]`` must be set.
    """
    endpoints = config.registry["masthead.instance"].endpoints
    pages = {each.name: each.refusal_page for each in endpoints if each.refusal_page}
    config.registry["masthead.refusal_pages"] = pages
    config.registry["masthead.failures"] = {each.name: each.failure for each in endpoints}
    config.add_exception_view(answer_refusal, context=Refusal)
    # As an exception, it rolls the transaction of the repetition back.
    config.add_exception_view(answer_repeated, context=Repeated)
    config.add_exception_view(answer_http_exception, context=HTTPException)
    config.add_exception_view(answer_fault, context=Exception)
    config.add_exception_view(answer_database_error, context=SQLAlchemyError)
    config.add_exception_view(answer_system_error, context=OSError)
    config.add_notfound_view(answer_not_found)
    config.add_forbidden_view(answer_forbidden)


def answer_refusal(refusal: Refusal, request: Request) -> Response:
    """Return the status and message of a refusal."""
    page = _page_of(request)
    if page is None:
        response = error_response(
            refusal.status, refusal.message, refusal.problems, refusal.details
        )
    else:
        response = page(request, refusal.status, refusal.message)
    if isinstance(refusal, RetryLater):
        response.headers["Retry-After"] = str(refusal.retry_after)
    return response


# Pyramid passes the request to each exception view.
def answer_not_found(error: HTTPNotFound, request: Request) -> Response:  # noqa: ARG001
    """Return 404 for a method and path without a route."""
    return error_response(404, "Not found")


# Pyramid passes the request to each exception view.
def answer_forbidden(error: HTTPForbidden, request: Request) -> Response:  # noqa: ARG001
    """Return 401 for an anonymous caller and 403 for one without the route's permission."""
    status, message = (403, "Forbidden") if request.is_authenticated else (401, "Unauthorized")
    page = _page_of(request)
    return error_response(status, message) if page is None else page(request, status, message)


# Pyramid passes the request to each exception view.
def answer_http_exception(error: HTTPException, request: Request) -> Response:  # noqa: ARG001
    """Return 400 for an error that Pyramid or WebOb found in the request."""
    return error_response(400 if error.code < 500 else 500, error.title)


def _page_of(request: Request) -> RefusalPage | None:
    """Return the function that makes the page for a refusal, if the endpoint has one."""
    route = request.matched_route
    pages: dict[str, RefusalPage] = request.registry["masthead.refusal_pages"]
    return pages.get(route.name) if route else None


def answer_fault(error: Exception, request: Request) -> Response:
    """Log an unexpected error and return 500 with the request id or the endpoint's message.

    If the request is retried (``db/session.py``), the client doesn't get this response. The
    endpoint's own message is also used for errors before its view, such as during authentication.
    """
    request_id = request.environ.get(REQUEST_ID)
    if _is_retried(error, request):
        RETRIED.add(request.environ.get(ROUTE, OTHER))
        logger.info("Request %s is retried after %s", request_id, type(error).__name__)
    else:
        named = in_plugin(error, request.instance.plugins)
        logger.error("Request %s failed%s", request_id, named, exc_info=error)
    route = request.matched_route
    message = request.registry["masthead.failures"].get(route.name) if route else None
    return error_response(500, message or f"Internal server error ({request_id})")


def answer_database_error(error: SQLAlchemyError, request: Request) -> Response:
    """Return 503 if the database can't serve now, for example because of a lock."""
    trouble = trouble_of(error, writing=request.method not in _READING)
    if request.instance.database.outage.is_open:
        # Other errors of the database follow from the outage.
        trouble = trouble or BUSY
    if trouble is None or _is_retried(error, request):
        return answer_fault(error, request)
    return _answer_trouble(trouble, error, request)


def answer_system_error(error: OSError, request: Request) -> Response:
    """Return 503 if a file can't be written because of its disk."""
    trouble = disk_trouble_of(error)
    if trouble is None:
        return answer_fault(error, request)
    return _answer_trouble(trouble, error, request)


def _answer_trouble(trouble: Trouble, error: Exception, request: Request) -> Response:
    database = request.instance.database
    if trouble is not BUSY:
        database.refused_writes.note(trouble, error)
    elif not database.outage.covers(error):
        request_id = request.environ.get(REQUEST_ID)
        logger.warning("Request %s failed: %s (%s)", request_id, trouble.message, one_line(error))
    response = error_response(503, trouble.message)
    response.headers["Retry-After"] = str(trouble.retry_after)
    return response


def _is_retried(error: Exception, request: Request) -> bool:
    # pyramid_tm marks the error for pyramid_retry only after the exception views.
    if is_last_attempt(request) or not is_tm_active(request):
        return False
    return bool(request.tm.get().isRetryableError(error))
