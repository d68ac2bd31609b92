"""The hooks of previews."""

from __future__ import annotations

from functools import partial

from masthead import Endpoint, endpoints_in, hookimpl
from masthead_email.composed.resource import COMPOSED_EMAILS
from masthead_email.newsletters.resource import NEWSLETTERS
from masthead_email.previews import schemas, views
from masthead_email.templates.resource import TEMPLATES

_KINDS = (
    (NEWSLETTERS, "a newsletter"),
    (COMPOSED_EMAILS, "a composed e-mail"),
    (TEMPLATES, "a template"),
)


@hookimpl
def masthead_routes() -> list[Endpoint]:
    """Return the endpoints of previews."""
    return [*endpoints_in(views), *_previews_of_stored()]


def _previews_of_stored() -> list[Endpoint]:
    """Return the endpoint of each kind of stored letter."""
    return [
        Endpoint(
            name=f"staff.{resource.name}.preview",
            method="POST",
            path=f"/api/staff/{resource.path}/{{id}}/preview",
            view=partial(views.preview_stored, resource),
            permission=resource.write_permission,
            also_needs=resource.also_needs,
            summary=f"Preview {label}, with changes that aren't saved",
            body=schemas.CHANGES,
            returns=schemas.PREVIEW,
            pool="reads",
        )
        for resource, label in _KINDS
    ]
