"""The specifications of all hooks that plugins can implement.

First the declaring hooks, whose lists are joined over all plugins; two declarations with the same
name stop the start with a message that names both plugins. Then the hooks that decide or provide
data, the hooks that react to events, and the hooks of export, import and the demo.

Implementations are marked with ``masthead.hookimpl`` and may omit arguments that they don't use.
"""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any

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
    from masthead.instance import Check, Instance, Reading
    from masthead.ports.images import ImageInfo, ImageUse
    from masthead.ports.mail import Mail, MailHistory, MailSuppressions
    from masthead.ports.navigation import NavigationEntry
    from masthead.ports.notice import Notice
    from masthead.ports.sitemap import SitemapEntry
    from masthead.ports.uses import ItemUse
    from masthead.resources.declaration import Resource
    from masthead.resources.person_data import PersonData
    from masthead.settings import Setting
    from masthead.transfer.files import KeptFiles
    from masthead.worker.jobs import Chore, Job

hookspec = pluggy.HookspecMarker("masthead")
hookimpl = pluggy.HookimplMarker("masthead")

# pluggy calls only implementations, so the bodies are empty in spite of the return types.
# mypy: disable-error-code="empty-body"


@hookspec
def masthead_settings() -> list[Setting[Any]]:
    """Called first, for every installed plugin, including disabled ones.

    :return: the settings that the plugin reads, named ``masthead.<plugin>.<name>``.

    Raising stops the start.
    """


@hookspec
def masthead_content_types() -> list[Approvable]:
    """Called once, when the instance opens.

    :return: the types of content that need approval.

    Raising stops the start.
    """


@hookspec
def masthead_resources() -> list[Resource]:
    """Called once, when the instance opens.

    :return: the types of items that staff manage without approval.

    Raising stops the start.
    """


@hookspec
def masthead_permissions(
    content_types: Mapping[str, Approvable], resources: Mapping[str, Resource]
) -> list[Permission]:
    """Called once, after content types and resources are known.

    :param content_types: all content types, by name.
    :param resources: all resources, by name.
    :return: permissions of endpoints, in addition to the two permissions of the area of each
        content type and resource. Plugins that share an area may declare the same permission.

    Raising stops the start.
    """


@hookspec
def masthead_navigation() -> list[NavigationEntry]:
    """Called once, when the instance opens.

    :return: the pages that the plugin adds to the website.

    Raising stops the start.
    """


@hookspec
def masthead_routes(instance: Instance) -> list[Endpoint]:
    """Called once, when the endpoints of an instance are first used, for example to serve them.

    :param instance: the open instance.
    :return: the plugin's endpoints.

    Raising stops the start.
    """


@hookspec
def masthead_commands(group: click.Group) -> None:
    """Called for every installed plugin when a command is looked up, before an instance is opened.

    :param group: the ``masthead`` command; add commands or groups to it.

    Raising stops the command line.
    """


@hookspec
def masthead_checks() -> list[Check | Reading]:
    """Called once, when the instance opens.

    :return: the checks of the start, ``/readyz``, ``/status`` and ``masthead doctor``; and gauges.

    Raising stops the start.
    """


@hookspec
def masthead_jobs(instance: Instance) -> list[Job | Chore]:
    """Called at each start of a server or a worker, once or several times.

    :param instance: the instance of the worker.
    :return: recurring work: a ``Job`` runs in one transaction, which also records that it is done;
        a ``Chore`` is any other work and runs under a lease.

    Raising stops the start. A job that raises when it runs is logged and retried, with delays that
    grow from ten seconds to an hour; it doesn't stop the worker.
    """


@hookspec
def masthead_check_submission(request: Request, kind: str, data: Mapping[str, Any]) -> None:
    """Called before a form of an anonymous visitor is stored.

    :param request: the request, for its address and headers.
    :param kind: the kind of the form in the plural: ``contact-messages``.
    :param data: the validated body by wire name.

    Raising ``Refused`` refuses the form with the message; the first refusal wins.
    """


@hookspec
def masthead_image_info(session: Session, paths: Sequence[str]) -> list[ImageInfo]:
    """Called when more than the addresses of images is needed, for example by a feed.

    :param session: a session for reading.
    :param paths: paths of the API that may be images, such as ``/api/images/images/1.jpg``.
    :return: the images that the plugin stores; others are omitted. The answer may only depend on
        the database, because feeds are cached until something is written there.

    Raising fails the request.
    """


@hookspec
def masthead_image_uses(session: Session, paths: Sequence[str]) -> list[ImageUse]:
    """Called before images are removed.

    :param session: a session for reading.
    :param paths: the paths of the API at which the images are served.
    :return: the items of the plugin that refer to one of the images. Core itself searches the
        columns declared with ``field()``.

    Raising fails the request, and the images stay.
    """


@hookspec
def masthead_uses(session: Session, kind: str, ids: Sequence[int | str]) -> list[ItemUse]:
    """Called before an item of a resource is deleted.

    :param session: the session of the transaction; the items are locked.
    :param kind: the name of their resource, such as ``email-templates``.
    :param ids: the ids of the items.
    :return: the items of the plugin that refer to one of them and would not work without it.

    Raising fails the request, and the items stay.
    """


@hookspec
def masthead_copy_images(
    instance: Instance, addresses: Sequence[str], caller: Caller
) -> Mapping[str, str]:
    """Called before a visitor's submission becomes content, outside of the transaction.

    :param instance: the instance, for a transaction of the plugin's own.
    :param addresses: addresses of images, as the visitor sent them.
    :param caller: the user who accepts the submission.
    :return: the new address of each image that the plugin stores and has copied to the images of
        staff, by its old address. Copying it again must return the same address.

    Raising fails the request.
    """


@hookspec(firstresult=True)
def masthead_store_image(
    instance: Instance, file: IO[bytes], alt_text: str | None, caller: Caller | None
) -> str | None:
    """Called for each image of an import, outside of a transaction.

    :param instance: the instance, for a transaction of the plugin's own.
    :param file: the bytes of the image, a file on disk.
    :param alt_text: its alternative text; None for none. An image that is stored keeps its text.
    :param caller: the user who becomes the uploader; None for the command line.
    :return: the path of the API at which the image is served; None if no plugin stores images.
        Storing the same bytes again must return the same path.

    Raising ``Invalid`` says that the file is no image, and leaves it out with a warning.
    """


@hookspec
def masthead_sitemap(session: Session) -> list[SitemapEntry]:
    """Called when a sitemap is generated.

    :param session: a session for reading.
    :return: the public pages of the plugin other than its content types, which may only depend on
        the database, because sitemaps are cached until something is written there.

    Raising fails the request.
    """


@hookspec(firstresult=True)
def masthead_deliver_mail(session: Session, mail: Mail) -> bool | None:
    """Called when core or a plugin sends an e-mail.

    :param session: the session of the transaction; the e-mail is sent after its commit.
    :param mail: the e-mail with its recipient.
    :return: True if it will be sent, False if it must not be sent, such as to a suppressed address.
        The first answer counts; None if no plugin sends e-mail.

    Raising rolls the transaction back.
    """


@hookspec
def masthead_mail_templates(session: Session, ids: Sequence[int]) -> list[int]:
    """Called when staff choose a template for automatic e-mails.

    :param session: a session that writes.
    :param ids: ids of templates.
    :return: the ids that exist, whose templates can't be deleted before the commit.

    Raising fails the request.
    """


@hookspec
def masthead_mail_history(session: Session, address: str) -> MailHistory:
    """Called when staff view a person.

    :param session: a session for reading.
    :param address: the person's address, as ``Email`` stores it.
    :return: the latest e-mails to the address, with the permission that reading them needs.

    Raising fails the request.
    """


@hookspec
def masthead_suppressions(session: Session, addresses: Sequence[str]) -> MailSuppressions:
    """Called when staff list or view persons, once for all addresses of a page.

    :param session: a session for reading.
    :param addresses: the addresses as ``Email`` stores them; none if only the query is wanted.
    :return: the suppressed ones, with the permission that reading their reasons needs, and a query
        of all.

    Raising fails the request.
    """


@hookspec
def masthead_person_data(session: Session, address: str, caller: Caller | None) -> list[PersonData]:
    """Called when a person requests access to or erasure of their personal data.

    :param session: a session for reading.
    :param address: the person's address, as ``Email`` stores it.
    :param caller: the user who reads the data; None for the command line.
    :return: the personal data that the plugin stores, one ``PersonData`` for each kind, also
        without items. Kinds that the caller may not read are left out of the answer.

    Raising fails the request.
    """


@hookspec
def masthead_forget_person(session: Session, address: str) -> None:
    """Called when a person has requested erasure of their personal data.

    :param session: the session of the transaction.
    :param address: the person's address, as ``Email`` stores it.

    Delete or anonymise the data of ``masthead_person_data``. Raising rolls the transaction back.
    """


@hookspec
def masthead_transitioned(session: Session, event: Transitioned) -> None:
    """Called in the transaction of a request, a vote, an approval, a rejection, and so on.

    Not called when an edit returns an item to draft or a staged copy is dropped.

    :param session: the session of the transaction; rows that are added commit with the change.
    :param event: the transition, with ids.

    Raising rolls the change back.
    """


@hookspec
def masthead_notified(session: Session, notice: Notice, recipients: Select[int]) -> None:
    """Called in the transaction that notifies users.

    :param session: the session of the transaction; rows that are added commit with it.
    :param notice: the content of the notification.
    :param recipients: a select of the recipients' user ids, including disabled users.

    Raising rolls the transaction back.
    """


@hookspec
def masthead_committing(session: Session) -> None:
    """Called in each transaction that may write, just before it commits.

    :param session: the session of the transaction; rows that are added commit with it.

    Raising rolls the transaction back.
    """


@hookspec
def masthead_files(instance: Instance) -> list[KeptFiles]:
    """Called at an export, an import, a backup and a restore.

    :param instance: the instance of the command.
    :return: the files outside of the database that can't be generated again.

    Raising stops the command.
    """


@hookspec
def masthead_imported(session: Session) -> str | None:
    """Called in the transaction of an import, after all rows and files are imported.

    :param session: the session of the transaction. The rows were inserted without ORM objects.
    :return: a sentence for the user of the command; None for no message.

    Create data that isn't exported, such as an index; notify nobody. Pause work with effects
    elsewhere, such as mail: the exported instance may do it. Raising rolls the import back.
    """


@hookspec
def masthead_restored(session: Session) -> str | None:
    """Called after the database was restored from a backup and migrated, before it is used.

    :param session: the session of the transaction that ends the restore.
    :return: a sentence for the user of the command; None for no message.

    Pause work with effects elsewhere, such as mail: it may have been done since the backup. Make
    invalid what may have been revoked since. Raising stops the start; the next one tries again.
    """


@hookspec
def masthead_demo(session: Session, demo: Demo) -> None:
    """Called when ``masthead serve --demo`` fills an empty instance with example content.

    :param session: the session of the transaction in which the demo is created.
    :param demo: creates items; knows the author, the approver and the date.

    Create a few items of each type; send nothing. A plugin that stores images is called first if
    it is marked with ``tryfirst=True``. Raising stops the start and stores nothing.
    """
