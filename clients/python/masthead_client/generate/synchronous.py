"""Turn the code of an asynchronous client into that of a synchronous one."""

from __future__ import annotations

import re

_WORDS = {
    "async def": "def",
    "async with": "with",
    "async for": "for",
    "await ": "",
    "__aenter__": "__enter__",
    "__aexit__": "__exit__",
    "aclose": "close",
    "aiter_text": "iter_text",
    "aread": "read",
    "asynccontextmanager": "contextmanager",
    "asyncio": "time",
    "asynchronous programs": "synchronous programs",
    "masthead_client.asynchronous": "masthead_client.synchronous",
    "AsyncBaseClient": "BaseClient",
    "AsyncClient": "Client",
    "AsyncEditable": "Editable",
    "AsyncGenerator": "Generator",
    "AsyncGroup": "Group",
    "AsyncIterator": "Iterator",
    "AsyncResults": "Results",
}
_PATTERN = re.compile("|".join(rf"\b{word}" + r"\b" * word[-1].isalpha() for word in _WORDS))


def synchronous(code: str) -> str:
    """Return the code without asynchronous functions and types."""
    return _PATTERN.sub(lambda match: _WORDS[match[0]], code)
