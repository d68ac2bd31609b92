"""The one place that turns what was raised into an answer."""

from __future__ import annotations

import logging

from pyramid.config import Configurator
from pyramid.httpexceptions import HTTPException, HTTPForbidden, HTTPNotFound
from pyramid.response import Response
from pyramid_retry import is_last_attempt
from pyramid_tm import is_tm_active

from masthead.errors import Refusal, TooMany
from masthead.http.environ import REQUEST_ID
from masthead.http.request import Request
from masthead.http.wire import error_response

logger = logging.getLogger(__name__)


def includeme(config: Configurator) -> None:
    """Answer everything that a request can raise with ``{"error": message}``.

    ``config.registry["masthead.instance"]`` has to hold the instance.
    """
    endpoints = config.registry["masthead.instance"].endpoints
    config.registry["masthead.failures"] = {each.name: each.failure for each in endpoints}
    config.add_exception_view(answer_refusal, context=Refusal)
    config.add_exception_view(answer_http_exception, context=HTTPException)
    config.add_exception_view(answer_fault, context=Exception)
    config.add_notfound_view(answer_not_found)
    config.add_forbidden_view(answer_forbidden)


# Pyramid passes the request to each exception view.
def answer_refusal(refusal: Refusal, request: Request) -> Response:  # noqa: ARG001
    """What a service refuses, in the service's words."""
    response = error_response(refusal.status, refusal.message)
    if isinstance(refusal, TooMany):
        response.headers["Retry-After"] = str(refusal.retry_after)
    return response


# Pyramid passes the request to each exception view.
def answer_not_found(error: HTTPNotFound, request: Request) -> Response:  # noqa: ARG001
    """No route takes this method and path."""
    return error_response(404, "Not found")


# Pyramid passes the request to each exception view.
def answer_forbidden(error: HTTPForbidden, request: Request) -> Response:  # noqa: ARG001
    """The route's permission is missing: nobody asks, or somebody who may not."""
    if not request.is_authenticated:
        return error_response(401, "Unauthorized")
    return error_response(403, "Forbidden")


# Pyramid passes the request to each exception view.
def answer_http_exception(error: HTTPException, request: Request) -> Response:  # noqa: ARG001
    """What Pyramid or WebOb found wrong with the request itself."""
    return error_response(400 if error.code < 500 else 500, error.title)


def answer_fault(error: Exception, request: Request) -> Response:
    """A bug or a fault of the machine: the log has the traceback, the client an id.

    Where the request is going to be asked again (``db/session.py``), nobody gets this answer.
    An endpoint that has words of its own for it says these, whatever failed: its view, or already
    looking up who asks.
    """
    request_id = request.environ.get(REQUEST_ID)
    if _is_asked_again(error, request):
        logger.info("Request %s is asked again after %s", request_id, type(error).__name__)
    else:
        logger.error("Request %s failed", request_id, exc_info=error)
    route = request.matched_route
    told = request.registry["masthead.failures"].get(route.name) if route else None
    return error_response(500, told or f"Internal server error ({request_id})")


def _is_asked_again(error: Exception, request: Request) -> bool:
    # pyramid_tm marks the error for pyramid_retry only after the exception views.
    if is_last_attempt(request) or not is_tm_active(request):
        return False
    return bool(request.tm.get().isRetryableError(error))
