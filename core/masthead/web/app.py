"""The WSGI application: the endpoints of an instance behind Pyramid's router.

A request passes through these layers, from the outside in:

1. ``server/``: the web server, its limits and deadlines, the access log;
2. ``http/ingress.py``: refuses undecodable requests, answers ``OPTIONS``, adds headers;
3. ``web/cache.py``: sends cached public answers. The main thread of the server calls
   ``immediate_answer`` and sends the answer itself, without passing the request to another thread;
   ``web/shared_caches.py`` around it adds headers for Varnish or a CDN, if settings ask for them;
4. ``web/replica.py``: lends a session of the replica to cacheable requests;
5. Pyramid's router, with a transaction around the rest (``db/session.py``): returning commits,
   raising rolls back, and ``http/refusals.py`` turns exceptions into ``{"error": message}``;
6. ``auth/policy.py``: authentication and authorisation;
7. ``http/routes.py``: path, query and body are validated by the schemas of the endpoint;
8. the feature's ``views.py``, which calls its ``services.py``, which uses its ``models.py``.

At the end of a writing transaction, ``content/list_json.py`` updates the stored list JSON and
``db/content_version.py`` invalidates the cached answers that read the changed tables.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from wsgiref.types import WSGIApplication

from pyramid.config import Configurator

from masthead.checking.at_start import warn_in_background
from masthead.console.context import check_places, read_ini
from masthead.db.settings import LOCK_TIMEOUT, STATEMENT_TIMEOUT
from masthead.http.handling import Handlings
from masthead.http.ingress import Ingress
from masthead.http.request import Request
from masthead.http.routes import BASE_URL, add_endpoints
from masthead.instance import (
    Instance,
    open_instance,
    start_telemetry,
)
from masthead.settings import CONFIG_VARIABLE
from masthead.web.cache import Cache
from masthead.web.content_listener import start_listener
from masthead.web.replica import with_replica
from masthead.web.shared_caches import with_shared_caches
from masthead.worker.plugin import INSIDE


def make_app(
    settings: Mapping[str, str] | None = None,
    environ: Mapping[str, str] = os.environ,
    opened: Callable[[Instance], object] = lambda _instance: None,
) -> WSGIApplication:
    """Open the instance that the settings describe and return its application.

    :param settings: text by full name, as in an ini file; None for those of the configuration file
        that ``MASTHEAD_CONFIG`` names, if it does.
    :param opened: called with the instance at the end.
    :raises StartError: with a one-line message.
    """
    if settings is None:
        named = environ.get(CONFIG_VARIABLE, "")
        settings = read_ini(Path(named) if named else None)
    instance = open_instance(settings, environ)
    # Otherwise a server whose SQLite file is moved away would continue with an empty one.
    instance.database.never_create()
    if not instance.settings[INSIDE]:
        # Otherwise the worker does it, once for all processes.
        warn_in_background(instance)
    app = app_of(instance)
    start_listener(instance)
    opened(instance)
    return app


def main(global_config: Mapping[str, str], **settings: str) -> WSGIApplication:
    """Return the application for PasteDeploy: ``use = egg:masthead-core`` in an ini file.

    :raises StartError: with a one-line message.
    """
    if file := global_config.get("__file__"):
        check_places(Path(file))
    return make_app(settings)


def app_of(instance: Instance) -> WSGIApplication:
    """Return the application of an open instance."""
    start_telemetry(instance, "server")
    instance.database.watch()
    waits, settings = instance.database.waits, instance.settings
    waits.lock, waits.statement = settings[LOCK_TIMEOUT], settings[STATEMENT_TIMEOUT]
    config = Configurator(request_factory=Request)
    config.registry["masthead.instance"] = instance
    config.registry["masthead.database"] = instance.database
    for part in ("masthead.db.session", "masthead.auth.policy", "masthead.http.refusals"):
        config.include(part)
    config.add_request_method(lambda _request: instance, "instance", property=True)
    add_endpoints(config, instance.endpoints, settings)
    cached = Cache(with_replica(config.make_wsgi_app(), instance), instance)
    handling = Handlings(instance.endpoints, settings)
    app = with_shared_caches(cached, instance)
    return Ingress(app, settings[BASE_URL], cached.immediate_answer, handling)
