"""A typed client of Masthead's REST interface."""

from masthead_client.answers import AsyncResults, Item, ResultList, Results, Revision, etag_of
from masthead_client.asynchronous import AsyncBaseClient
from masthead_client.cache import Cache
from masthead_client.errors import (
    BadRequest,
    FieldError,
    Forbidden,
    MastheadError,
    NotFound,
    PreconditionFailed,
    ServerError,
    TooManyRequests,
    Unauthorized,
    Unavailable,
    UnexpectedAnswer,
)
from masthead_client.generated import AsyncClient, Client, types
from masthead_client.live import LiveEvent
from masthead_client.retries import Retry
from masthead_client.synchronous import BaseClient
from masthead_client.uploads import File, Progress

__all__ = [
    "AsyncBaseClient",
    "AsyncClient",
    "AsyncResults",
    "BadRequest",
    "BaseClient",
    "Cache",
    "Client",
    "FieldError",
    "File",
    "Forbidden",
    "Item",
    "LiveEvent",
    "MastheadError",
    "NotFound",
    "PreconditionFailed",
    "Progress",
    "ResultList",
    "Results",
    "Retry",
    "Revision",
    "ServerError",
    "TooManyRequests",
    "Unauthorized",
    "Unavailable",
    "UnexpectedAnswer",
    "etag_of",
    "types",
]
