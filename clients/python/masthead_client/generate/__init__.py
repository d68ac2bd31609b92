"""Make the package of a typed client from an OpenAPI document.

``pip install 'masthead-client[generate]'`` brings the library that it needs.
"""

from __future__ import annotations

from masthead_client.generate.package import files_of

__all__ = ["files_of"]
