"""The bodies and answers of the site plugin's own endpoints."""

from __future__ import annotations

from typing import Any

from masthead import (
    ORGANISATION,
    STORED_IMAGE,
    Bool,
    Email,
    Html,
    Int,
    Line,
    ListOf,
    Nullable,
    Object,
    ProblemCode,
    Str,
    Url,
    WrongValue,
    extended,
    form,
    optional,
    required,
    schema,
)
from masthead_site.ids import number_of
from masthead_site.models import DESCRIPTION, HISTORY, LARGEST_ORDER, MESSAGE, MISSION
from masthead_site.services.entries import LEVELS


class FolderId(Int):
    """The id of a folder, or its number alone; stored as the number."""

    def parse(self, value: Any) -> int:
        if isinstance(value, str):
            value = number_of(value.strip())
            if value is None:
                raise WrongValue(ProblemCode.UNKNOWN_ID, "Must be the id of a folder")
        return super().parse(value)

    def schema(self) -> dict[str, Any]:
        return {"type": ["integer", "string"]}


_ORDER = Int(-LARGEST_ORDER, LARGEST_ORDER)


def _items(folders: int) -> ListOf:
    """Return the type of a list of entries with a number of levels of folders."""
    fields = {
        "id": required(Str(), help="The id of the entry.", example="nav-7"),
        "label": required(Str(), help="The text of the entry.", example="About us"),
        "path": required(
            Url(),
            nullable=True,
            help="The path or address; null for a folder. A custom page has its slug.",
            example="/about",
        ),
        "isCustom": required(Bool(), help="Whether it leads to a custom page."),
        "customPageId": optional(Int(), nullable=False, help="The id of the custom page."),
        "order": required(
            _ORDER, help="Its place in its folder, which begins with the smallest number."
        ),
    }
    if folders:
        fields |= {
            "isFolder": optional(Bool(), nullable=False, help="Whether it is a folder."),
            "children": optional(
                _items(folders - 1), nullable=False, help="The entries of the folder."
            ),
        }
    return ListOf(Object(schema(fields, name="NavigationItem", help="An entry for visitors.")))


NAVIGATION = _items(LEVELS)
_IMAGE = Object(
    schema(
        {
            "id": required(Str(), help="The place of the image.", example="logo"),
            "name": required(Str(min_length=0), help="The name for editors.", example="Logo"),
            "description": required(Str(DESCRIPTION, min_length=0), help="The use of the image."),
            "imageUrl": required(
                Str(DESCRIPTION, min_length=0),
                help="The address of the image; blank for none.",
                example="/api/images/images/1772357400000-3f9a.webp",
            ),
            "image": required(STORED_IMAGE),
            "recommendedFormat": required(
                Str(min_length=0), help="The format that suits the place.", example="SVG or PNG"
            ),
            "recommendedSize": required(
                Str(min_length=0),
                help="The size that suits the place, in pixels.",
                example="1200 × 630",
            ),
            "contentDescription": required(
                Nullable(Str(DESCRIPTION)),
                help="The description of the image for readers who can't see it.",
            ),
        },
        name="SiteImage",
        help="An image at a fixed place of the website.",
    )
)
SITE = extended(
    ORGANISATION,
    {
        "images": required(ListOf(_IMAGE), help="The images at fixed places."),
        "navigation": required(NAVIGATION, help="The navigation."),
    },
    name="Site",
    help="The organisation, the images at fixed places, and the navigation.",
)
ENTRY_HELP = {"entry": "The id of the entry, such as `nav-7` or `static-news`, or its number."}
ENTRY = schema(
    {
        "id": required(Str(), help="The id of the entry.", example="nav-7"),
        "label": required(Str(), help="The text of the entry.", example="About us"),
        "path": required(
            Url(),
            nullable=True,
            help="The path or address; null for a folder. A custom page has its slug.",
            example="/about",
        ),
        "isCustom": required(Bool(), help="Whether it leads to a custom page."),
        "customPageId": required(Int(), nullable=True, help="The id of the custom page."),
        "isFolder": required(Bool(), help="Whether it is a folder."),
        "order": required(
            _ORDER, help="Its place in its folder, which begins with the smallest number."
        ),
        "hidden": required(Bool(), help="Whether visitors don't see it."),
        "parentId": required(
            Str(), nullable=True, help="The id of its folder; null at the top.", example="nav-3"
        ),
    },
    name="NavigationEntry",
    help="An entry of the navigation, as staff see it.",
)
ENTRIES = ListOf(Object(ENTRY))
ENTRY_BODY = schema(
    {
        "label": optional(Line(), help="The text of the entry.", example="About us"),
        "isFolder": optional(Bool(), False, help="Whether it is a folder."),
        "customPageId": optional(Int(1), help="The id of the custom page."),
        "path": optional(Str(DESCRIPTION), help="The path or address of a link.", example="/about"),
        "parentId": optional(
            FolderId(),
            help="The id of its folder, or its number; null moves it to the top.",
            example="nav-3",
        ),
        "order": optional(
            _ORDER, help="Its place in its folder, which begins with the smallest number."
        ),
        "hidden": optional(Bool(), False, help="Whether visitors don't see it."),
    },
    name="NavigationEntryUpdate",
    help="An entry to create, or changes of one.",
)

_TITLE, _CONTENT = "The heading.", "The text, as HTML."
_TEXT = Object(
    schema(
        {"title": required(Str(), help=_TITLE), "content": required(Html(), help=_CONTENT)},
        name="AboutText",
        help="A text about the organisation.",
    )
)
_CHANGED_TEXT = Object(
    schema(
        {"title": optional(Line(), help=_TITLE), "content": optional(Html(), help=_CONTENT)},
        name="AboutTextUpdate",
        help="Changes of a text about the organisation.",
    )
)
_VALUE = Object(
    schema(
        {
            "id": required(Int(), help="The id of the value."),
            "title": required(Str(), help="The value, in a word or two.", example="Openness"),
            "description": required(
                Str(DESCRIPTION),
                help="The value, in a sentence.",
                example="Our books are open to everybody.",
            ),
            "icon": required(
                Str(), help="The name of an icon of the website.", example="door-open"
            ),
            "colorClass": required(
                Str(), help="The CSS classes of its colours.", example="text-sky-700"
            ),
        },
        name="PublicAboutValue",
        help="A value of the organisation, as the public sees it.",
    )
)
_MISSION, _HISTORY = "The aim of the organisation.", "The history of the organisation."
_TEXTS = {MISSION: required(_TEXT, help=_MISSION), HISTORY: required(_TEXT, help=_HISTORY)}
TEXTS = schema(_TEXTS, name="AboutTexts", help="The texts about the organisation.")
ABOUT = schema(
    {**_TEXTS, "values": required(ListOf(_VALUE), help="The values of the organisation.")},
    name="About",
    help="The organisation, as it describes itself.",
)
TEXTS_BODY = schema(
    {
        MISSION: optional(_CHANGED_TEXT, help=_MISSION),
        HISTORY: optional(_CHANGED_TEXT, help=_HISTORY),
    },
    name="AboutTextsUpdate",
    help="Changes of the texts: a text that is left out stays as it is.",
)

MESSAGE_BODY = form(
    schema(
        {
            "name": required(Line(), help="The name of the visitor.", example="Ada Lovelace"),
            "email": required(Email(), help="The address for the reply."),
            "subject": required(Line(), help="The subject.", example="Opening hours"),
            "message": required(Str(MESSAGE), help="The text."),
        },
        name="ContactForm",
        help="A message of a visitor.",
    )
)
