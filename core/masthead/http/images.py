"""The stored images in public answers: an object beside each address, and sizes in HTML.

A plugin declares the table of its images, see ``masthead.ports.images.StoredImages``. The statement
that reads an item also reads its images, so an answer depends on the table like on any other.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, Connection, Text, case, cast, func, literal, null, select

from masthead.http.routes import BASE_URL
from masthead.schemas.field_types import FieldType, Int, Str, Url
from masthead.schemas.fields import Field
from masthead.schemas.schema import ListOf, Nullable, Object, required, schema
from masthead.schemas.shapes import Column, json_object

if TYPE_CHECKING:
    from masthead.instance import Instance

STORED_IMAGE = Nullable(
    Object(
        schema(
            {
                "url": required(
                    Str(),
                    help="The path or address of the image.",
                    example="/api/images/images/1772357400000-3f9a.webp",
                ),
                "alt": required(
                    Str(),
                    nullable=True,
                    help="The text for readers who can't see it; null for none.",
                    example="Children plant an apple tree",
                ),
                "width": required(Int(1), help="Its width in pixels.", example=1600),
                "height": required(Int(1), help="Its height in pixels.", example=900),
                "widths": required(
                    ListOf(Int(1)),
                    help="The smaller widths that `?w=` after its address serves.",
                    example=[320, 640, 960, 1280],
                ),
                "type": required(Str(), help="Its media type.", example="image/webp"),
            },
            name="StoredImage",
            help="An image that is stored here.",
        )
    )
).described("The image at the address beside it; null for one that isn't stored here.")
_NAMES = re.compile(
    r"(?:image|photo|picture|portrait|cover|logo|avatar|thumbnail|banner|poster)(?:url)?\Z",
    re.IGNORECASE,
)
_MOST_KEYS = 20_000
"""The number of images in the HTML of an answer that are looked up; databases limit parameters."""


def image_names(fields: Iterable[Field], also: Collection[str] = ()) -> dict[str, str]:
    """Return the name of the image beside each field with an image's address, by field.

    ``coverImageUrl`` has ``coverImage`` beside it, and ``photo`` has ``photoImage``. These are the
    fields of type ``Url`` whose names end so.

    :param also: fields that are images by another declaration.
    """
    fields = list(fields)
    taken, found = {field.name for field in fields}, {}
    for field in fields:
        if is_image(field.name, field.kind, also):
            name = field.name.removesuffix("Url")
            found[field.name] = f"{field.name}Image" if name in taken else name
    return found


def is_image(name: str, kind: FieldType, also: Collection[str] = ()) -> bool:
    """Whether a value of a type is the address of an image, by the name of its field.

    :param also: the names of fields that are images by another declaration.
    """
    inner = kind.inner if isinstance(kind, Nullable) else kind
    return isinstance(inner, Url) and (bool(_NAMES.search(name)) or name in also)


class Images:
    """The stored images of an instance, for statements and HTML; none without such a plugin."""

    def __init__(self, instance: Instance) -> None:
        self._stored = next((p.images for p in instance.plugins if p.images is not None), None)
        self._dialect = instance.database.dialect
        self._base = instance.settings[BASE_URL]
        self._widths = instance.settings[self._stored.widths] if self._stored else ()

    def column(self, name: str, address: ColumnElement[Any]) -> Column:
        """Return the field of the image at an address; null unless it is stored here.

        :param address: the column with the address.
        """
        if self._stored is None:
            return Column(name, cast(null(), Text()), STORED_IMAGE, is_json=True, is_joined=True)
        stored, widths = self._stored, self._rendered()
        shown = {
            "url": literal(stored.path, Text()) + stored.key,
            "alt": stored.alt,
            "width": stored.width,
            "height": stored.height,
            "widths": Column("widths", widths, STORED_IMAGE, is_json=True).as_json(self._dialect),
            "type": stored.media_type,
        }
        image = select(cast(json_object(self._dialect, shown), Text()))
        found = image.where(stored.key == self._key(address)).correlate(address.table)
        return Column(name, found.scalar_subquery(), STORED_IMAGE, is_json=True, is_joined=True)

    def complete(
        self, connection: Connection, texts: Sequence[str], *, in_json: bool = False
    ) -> list[str]:
        """Return sanitised HTML in which stored images have their sizes and alternative texts.

        :param in_json: whether the texts are JSON with HTML in its strings.
        """
        if self._stored is None or not any("<img " in text for text in texts):
            return list(texts)
        tags = _Tags(in_json, (self._stored.path, self._base + self._stored.path))
        keys = {key for text in texts for key in tags.keys_in(text)}
        stored = self._stored
        known = select(stored.key, stored.width, stored.height, stored.alt)
        rows = connection.execute(known.where(stored.key.in_(sorted(keys)[:_MOST_KEYS])))
        images = {row[0]: row[1:] for row in rows} if keys else {}
        return [tags.complete(text, images) for text in texts] if images else list(texts)

    def complete_fields(
        self, connection: Connection, items: Sequence[dict[str, Any]], names: Sequence[str]
    ) -> None:
        """Complete the HTML in some fields of items, with one query for all of them."""
        places = [(item, name) for item in items for name in names if item.get(name)]
        texts = self.complete(connection, [item[name] for item, name in places])
        for (item, name), text in zip(places, texts, strict=True):
            item[name] = text

    def alternative_texts(
        self, connection: Connection, addresses: Iterable[str | None]
    ) -> dict[str, str | None]:
        """Return the alternative texts of stored images by their addresses."""
        if self._stored is None:
            return {}
        starts = (self._base + self._stored.path, self._stored.path)
        keys = {
            address: address.removeprefix(start).partition("?")[0]
            for address in addresses
            for start in starts
            if address and address.startswith(start)
        }
        known = select(self._stored.key, self._stored.alt)
        wanted = sorted(set(keys.values()))
        rows = connection.execute(known.where(self._stored.key.in_(wanted))) if keys else ()
        alts = {row[0]: row[1] for row in rows}
        return {address: alts[key] for address, key in keys.items() if key in alts}

    def _key(self, address: ColumnElement[Any]) -> ColumnElement[Any]:
        """Return the key of the image at an address; null for an address elsewhere."""
        assert self._stored is not None
        starts = (self._stored.path, self._base + self._stored.path)
        rest = case(
            *(
                (func.substr(address, 1, len(s)) == s, func.substr(address, len(s) + 1))
                for s in starts
            )
        )
        if self._dialect == "sqlite":
            return func.substr(rest, 1, func.instr(rest.concat("?"), "?") - 1)
        return func.split_part(rest, "?", 1)

    def _rendered(self) -> ColumnElement[str]:
        """Return the JSON of the widths in which an image is also served: the smaller ones."""
        assert self._stored is not None
        known = [
            (self._stored.width > self._widths[last], json.dumps(self._widths[: last + 1]))
            for last in reversed(range(len(self._widths)))
        ]
        cases = [(condition, literal(widths, Text())) for condition, widths in known]
        nothing = literal("[]", Text())
        return case(*cases, else_=nothing) if cases else nothing


class _Tags:
    """The tags of images in the output of the sanitiser, or in such output within JSON."""

    def __init__(self, in_json: bool, starts: tuple[str, ...]) -> None:
        self._in_json, self._starts = in_json, starts
        self._quote = '\\"' if in_json else '"'
        quote = re.escape(self._quote)
        # In JSON, a backslash would be the start of an escape.
        inside = r'[^"\\]' if in_json else '[^"]'
        attribute = rf' ([^\s="\\<>]++)={quote}({inside}*+){quote}'
        self._attribute = re.compile(attribute)
        self._tag = re.compile(rf"<img((?:{attribute})++)>".replace("([^", "(?:[^"))

    def keys_in(self, text: str) -> list[str]:
        """Return the keys of the images that a text shows."""
        keys = (
            self._key(dict(self._attribute.findall(tag[1]))) for tag in self._tag.finditer(text)
        )
        return [key for key in keys if key]

    def complete(self, text: str, images: Mapping[str, Any]) -> str:
        """Return a text with the attributes of known images."""

        def completed(tag: re.Match[str]) -> str:
            given = dict(self._attribute.findall(tag[1]))
            image = images.get(self._key(given))
            return f"<img{tag[1]}{self._missing(given, *image)}>" if image else tag[0]

        return self._tag.sub(completed, text)

    def _key(self, given: Mapping[str, str]) -> str:
        address = given.get("src", "").partition("?")[0]
        start = next((each for each in self._starts if address.startswith(each)), None)
        return address[len(start) :] if start else ""

    def _missing(self, given: Mapping[str, str], width: int, height: int, alt: str | None) -> str:
        """Return the attributes that a tag lacks."""
        added = {}
        # With one size alone, or one in a style, the other could distort the image.
        if not {"width", "height"} & given.keys() and "width" not in given.get("style", ""):
            added = {"width": str(width), "height": str(height)}
        if alt and "alt" not in given:
            added["alt"] = escape(alt)
        texts = {
            n: json.dumps(v, ensure_ascii=False)[1:-1] if self._in_json else v
            for n, v in added.items()
        }
        return "".join(f" {name}={self._quote}{text}{self._quote}" for name, text in texts.items())


def images_of(instance: Instance) -> Images:
    """Return the stored images of an instance."""
    return instance.shared(Images)
