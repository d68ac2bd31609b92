"""The WSGI application: an instance's endpoints behind Pyramid's router."""

from __future__ import annotations

import os
from collections.abc import Mapping
from wsgiref.types import WSGIApplication

from pyramid.config import Configurator

from masthead.cache import Cache
from masthead.ingress import Ingress
from masthead.instance import Instance, open_instance
from masthead.routes import BASE_URL, add_endpoints


def make_app(
    settings: Mapping[str, str] | None = None, environ: Mapping[str, str] = os.environ
) -> WSGIApplication:
    """The application of the instance that the settings describe.

    :param settings: text by full name, as in an ini file.
    :raises StartError: with one line that says what can't work.
    """
    return app_of(open_instance(settings or {}, environ))


def main(global_config: Mapping[str, str], **settings: str) -> WSGIApplication:  # noqa: ARG001
    """The factory that PasteDeploy calls: ``use = egg:masthead-core`` in an ini file."""
    return make_app(settings)


def app_of(instance: Instance) -> WSGIApplication:
    """The application of an instance that is open."""
    config = Configurator()
    config.registry["masthead.instance"] = instance
    config.registry["masthead.database"] = instance.database
    for part in ("masthead.db.session", "masthead.auth.policy", "masthead.refusals"):
        config.include(part)
    config.add_request_method(lambda _request: instance, "instance", property=True)
    add_endpoints(config, instance.endpoints, instance.settings)
    cached = Cache(config.make_wsgi_app(), instance)
    return Ingress(cached, secure=instance.settings[BASE_URL].startswith("https:"))
