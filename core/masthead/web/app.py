"""The WSGI application: an instance's endpoints behind Pyramid's router.

A request passes, from the outside in:

1. ``server/``: the web server, its limits and deadlines, the access log;
2. ``ingress.py``: what can't be decoded is refused, ``OPTIONS`` answered, headers added;
3. ``cache.py``: public answers that are still good are given from memory, by the server's main
   thread, which asks ``at_hand`` before it hands a request to another one;
4. Pyramid's router, with a transaction around what follows (``db/session.py``): returning commits,
   raising rolls back, and ``refusals.py`` turns what was raised into ``{"error": message}``;
5. ``auth/policy.py``: who asks, and whether they may;
6. ``routes.py``: path, query and body are checked by the endpoint's schemas;
7. the feature's ``views.py``, which calls its ``services.py``, which changes its ``models.py``.

At the end of a transaction that wrote, ``content/list_json.py`` updates the stored list JSON and
``content_version.py`` makes cached answers worthless.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from wsgiref.types import WSGIApplication

from pyramid.config import Configurator

from masthead.http.ingress import Ingress
from masthead.http.request import Request
from masthead.http.routes import BASE_URL, add_endpoints
from masthead.instance import Instance, open_instance
from masthead.web.cache import Cache


def make_app(
    settings: Mapping[str, str] | None = None, environ: Mapping[str, str] = os.environ
) -> WSGIApplication:
    """The application of the instance that the settings describe.

    :param settings: text by full name, as in an ini file.
    :raises StartError: with one line that says what can't work.
    """
    return app_of(open_instance(settings or {}, environ))


# PasteDeploy passes what the file says of itself.
def main(global_config: Mapping[str, str], **settings: str) -> WSGIApplication:  # noqa: ARG001
    """The factory that PasteDeploy calls: ``use = egg:masthead-core`` in an ini file."""
    return make_app(settings)


def app_of(instance: Instance) -> WSGIApplication:
    """The application of an instance that is open."""
    config = Configurator(request_factory=Request)
    config.registry["masthead.instance"] = instance
    config.registry["masthead.database"] = instance.database
    for part in ("masthead.db.session", "masthead.auth.policy", "masthead.http.refusals"):
        config.include(part)
    config.add_request_method(lambda _request: instance, "instance", property=True)
    add_endpoints(config, instance.endpoints, instance.settings)
    cached = Cache(config.make_wsgi_app(), instance)
    return Ingress(cached, instance.settings[BASE_URL], cached.at_hand)
