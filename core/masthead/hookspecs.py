"""Every point where a plugin joins in.

First what a plugin declares: lists of small declarations, joined over all plugins; two that bear
one name stop the start and name both plugins. Then what it decides or tells when somebody asks,
what it does when something happens, and how an instance is moved and the demo filled.

Implementations are marked with ``masthead.hookimpl`` and may leave out arguments that they don't
use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pluggy

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import click
    from sqlalchemy import Select
    from sqlalchemy.orm import Session

    from masthead.approval.declaration import Approvable
    from masthead.approval.events import Transitioned
    from masthead.auth.caller import Caller
    from masthead.demo.demo import Demo
    from masthead.http.endpoints import Endpoint
    from masthead.http.permissions import Permission
    from masthead.http.request import Request
    from masthead.instance import Check, Instance
    from masthead.ports.images import ImageInfo, ImageUse
    from masthead.ports.mail import Mail, MailRecord
    from masthead.ports.navigation import NavigationEntry
    from masthead.ports.notice import Notice
    from masthead.ports.sitemap import SitemapEntry
    from masthead.resources.declaration import Resource
    from masthead.resources.person_data import PersonData
    from masthead.settings import Setting
    from masthead.transfer.files import KeptFiles
    from masthead.worker.jobs import Chore, Job

hookspec = pluggy.HookspecMarker("masthead")
hookimpl = pluggy.HookimplMarker("masthead")

# The bodies are empty, whatever they are said to return: pluggy calls implementations only.


@hookspec
def masthead_settings() -> list[Setting[Any]]:  # type: ignore[empty-body]
    """Called first, for every installed plugin, also those that aren't enabled.

    :return: the settings that the plugin reads, named ``masthead.<plugin>.<name>``.

    Raising stops the start.
    """


@hookspec
def masthead_content_types() -> list[Approvable]:  # type: ignore[empty-body]
    """Called once, when the instance opens.

    :return: the kinds of content that go through the approval workflow.

    Raising stops the start.
    """


@hookspec
def masthead_resources() -> list[Resource]:  # type: ignore[empty-body]
    """Called once, when the instance opens.

    :return: what staff keep without approval.

    Raising stops the start.
    """


@hookspec
def masthead_permissions(  # type: ignore[empty-body]
    content_types: Mapping[str, Approvable], resources: Mapping[str, Resource]
) -> list[Permission]:
    """Called once, after content types and resources are known.

    :param content_types: all of them, by name.
    :param resources: all of them, by name.
    :return: the permissions that routes ask for beyond the two of each content type's and
        resource's area. Plugins that share an area may declare the same permission.

    Raising stops the start.
    """


@hookspec
def masthead_navigation() -> list[NavigationEntry]:  # type: ignore[empty-body]
    """Called once, when the instance opens.

    :return: the pages that the website has because the plugin is enabled.

    Raising stops the start.
    """


@hookspec
def masthead_routes(instance: Instance) -> list[Endpoint]:  # type: ignore[empty-body]
    """Called once, when an instance is first asked for its endpoints, as to serve them.

    :param instance: the instance, which is open.
    :return: the plugin's endpoints.

    Raising stops the start.
    """


@hookspec
def masthead_commands(group: click.Group) -> None:
    """Called for every installed plugin when a command is looked up, before any instance is opened.

    :param group: the ``masthead`` command; add commands or groups to it.

    Raising stops the command line.
    """


@hookspec
def masthead_checks() -> list[Check]:  # type: ignore[empty-body]
    """Called once, when the instance opens.

    :return: what ``/readyz`` asks before it says that the instance is ready.

    Raising stops the start.
    """


@hookspec
def masthead_jobs(instance: Instance) -> list[Job | Chore]:  # type: ignore[empty-body]
    """Called at each start of a server or a worker, once or more.

    :param instance: the instance that the worker works for.
    :return: the work that comes again and again: a ``Job`` is done in one transaction, which also
        marks it as done; a ``Chore`` is anything else, held by a lease.

    Raising stops the start. A job that raises later is logged and tried again, after
    pauses that grow from ten seconds to an hour; it never stops the worker.
    """


@hookspec
def masthead_check_submission(request: Request, kind: str, data: Mapping[str, Any]) -> None:
    """Called before what an anonymous visitor sent through a form is stored.

    :param request: the visitor's request, for its address and headers.
    :param kind: what is sent, in the plural: ``contact-messages``.
    :param data: the checked body by wire name.

    Raising ``Refused`` refuses it, and the visitor reads why; the first refusal wins.
    """


@hookspec
def masthead_image_info(  # type: ignore[empty-body]
    session: Session, paths: Sequence[str]
) -> list[ImageInfo]:
    """Called when something has to know more of images than their addresses, as a feed does.

    :param session: a session to read with.
    :param paths: paths of the API that may be images, such as ``/api/images/images/1.jpg``.
    :return: what is known of those that the plugin stores; the others are left out. It has to be in
        the database, as feeds are kept until something is written there.

    Raising fails the request.
    """


@hookspec
def masthead_image_uses(  # type: ignore[empty-body]
    session: Session, paths: Sequence[str]
) -> list[ImageUse]:
    """Called before images are removed.

    :param session: a session to read with.
    :param paths: paths of the API at which they are served.
    :return: what the plugin keeps that names one of them, beside the columns declared with
        ``field()``, which core looks through by itself.

    Raising fails the request, and the images stay.
    """


@hookspec
def masthead_copy_images(  # type: ignore[empty-body]
    instance: Instance, addresses: Sequence[str], caller: Caller
) -> Mapping[str, str]:
    """Called before something that a visitor sent becomes content, ahead of its transaction.

    :param instance: the instance, for a transaction of the plugin's own.
    :param addresses: addresses of images, as the visitor sent them.
    :param caller: who makes it content.
    :return: the new address for each image that the plugin stores and has copied to where those
        of staff lie. Copying an image again leads to the same address.

    Raising fails the request.
    """


@hookspec
def masthead_sitemap(session: Session) -> list[SitemapEntry]:  # type: ignore[empty-body]
    """Called when a sitemap is made.

    :param session: a session to read with.
    :return: the public pages that the plugin keeps beside its content types. What they depend on
        has to be in the database, as sitemaps are kept until something is written there.

    Raising fails the request.
    """


@hookspec(firstresult=True)
def masthead_deliver_mail(session: Session, mail: Mail) -> bool | None:
    """Called when a plugin wants a mail sent.

    :param session: the transaction's session; the mail leaves once it has committed.
    :param mail: what is sent to whom.
    :return: True where it will be sent, False where it mustn't be, as the person has unsubscribed,
        the address is suppressed or the template is gone. The first answer counts; None where no
        plugin sends mail.

    Raising rolls everything back.
    """


@hookspec
def masthead_mail_templates(  # type: ignore[empty-body]
    session: Session, ids: Sequence[int]
) -> list[int]:
    """Called when staff choose a template for mails that are sent by themselves.

    :param session: a session to read with.
    :param ids: of templates.
    :return: those of them that exist; without a plugin that sends mail none does.

    Raising fails the request.
    """


@hookspec
def masthead_mail_history(  # type: ignore[empty-body]
    session: Session, address: str
) -> list[MailRecord]:
    """Called when staff look at somebody.

    :param session: a session to read with.
    :param address: the person's, as ``Email`` stores it.
    :return: the mails to that address, the newest first, a hundred at most.

    Raising fails the request.
    """


@hookspec
def masthead_person_data(  # type: ignore[empty-body]
    session: Session, address: str
) -> list[PersonData]:
    """Called when a person wants to know what is held on them, or before it is erased.

    :param session: a session to read with.
    :param address: the person's, as ``Email`` stores it.
    :return: everything that the plugin holds on who has the address.

    Raising fails the request.
    """


@hookspec
def masthead_forget_person(session: Session, address: str) -> None:
    """Called when all that is held on a person has to go, as the person asks for it.

    :param session: the transaction's session.
    :param address: the person's, as ``Email`` stores it.

    Delete what ``masthead_person_data`` tells, or take out of it what leads to the person. Raising
    rolls everything back.
    """


@hookspec
def masthead_transitioned(session: Session, event: Transitioned) -> None:
    """Called in the transaction of a request, an approval, a rejection or an import that publishes.

    Not where an edit makes it a draft again or a staged copy is dropped.

    :param session: the transaction's session; rows written to it commit with the change.
    :param event: what changed, by ids.

    Raising rolls the change back.
    """


@hookspec
def masthead_notified(session: Session, notice: Notice, recipients: Select[int]) -> None:
    """Called in the transaction in which users are told something.

    :param session: the transaction's session; rows written to it commit with the notifications.
    :param notice: what they are told.
    :param recipients: selects the ids of who is told, disabled users among them.

    Raising rolls everything back.
    """


@hookspec
def masthead_committing(session: Session) -> None:
    """Called in each transaction that may write, just before it commits.

    :param session: the transaction's session; rows written to it commit with the rest.

    Raising rolls everything back.
    """


@hookspec
def masthead_files(instance: Instance) -> list[KeptFiles]:  # type: ignore[empty-body]
    """Called when an instance is exported, and when an export is imported.

    :param instance: the instance that is left, or the one that is moved into.
    :return: what the plugin keeps outside of the database and can't make anew.

    Raising stops the command.
    """


@hookspec
def masthead_imported(session: Session) -> None:
    """Called when all rows and files of an export have arrived, in the transaction of the import.

    :param session: the transaction's session. The rows were written past SQLAlchemy's objects.

    Make what the plugin's tables don't bring along, such as an index; tell nobody. Raising rolls
    the whole import back.
    """


@hookspec
def masthead_demo(session: Session, demo: Demo) -> None:
    """Called when ``masthead serve --demo`` fills an empty instance with something to look at.

    :param session: of the one transaction in which everything is made.
    :param demo: who writes and approves, what day it is, and the ways to make things.

    Make a few things of each kind that the plugin keeps; send nobody anything. A plugin that stores
    images is asked first where its implementation is marked with ``tryfirst=True``. Raising rolls
    everything back, and the server doesn't start.
    """
