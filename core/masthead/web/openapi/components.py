"""The named schemas of a document, to which operations refer."""

from __future__ import annotations

from masthead.errors import StartError
from masthead.schemas.labels import pascal_case
from masthead.web.openapi.subschemas import JsonSchema, with_subschemas

PREFIX = "#/components/schemas/"
INPUT = "Input"


class Components:
    """Collects the objects of schemas under their names.

    The name of an object is the title of its schema. One without a title is named after the place
    where it stands, such as ``NewslettersTestResponse``. An object within one of the same name
    refers to the outer one, as a folder of a tree does.
    """

    def __init__(self) -> None:
        self.schemas: dict[str, JsonSchema] = {}

    def refer(self, schema: JsonSchema, place: str, *, suffix: str = "") -> JsonSchema:
        """Return a schema with references instead of its objects.

        :param place: the name of an object without a title.
        :param suffix: the end of the name of an object that differs from the one of its own name:
            ``INPUT`` for bodies, whose bounds answers lack.
        :raises StartError: if two different objects have the same name.
        """
        return self._replaced(schema, place, (), suffix)

    def _replaced(
        self, part: JsonSchema, place: str, outer: tuple[str, ...], suffix: str
    ) -> JsonSchema:
        if "properties" in part:
            return self._reference(part, part.get("title") or place, outer, suffix)
        replaced = with_subschemas(
            part, lambda each, _name: self._replaced(each, place, outer, suffix)
        )
        # A property that is an object has a description beside that of the object.
        if len(replaced.get("allOf", ())) == 1:
            [referred] = replaced.pop("allOf")
            return {**referred, **replaced}
        return replaced

    def _reference(
        self, part: JsonSchema, name: str, outer: tuple[str, ...], suffix: str
    ) -> JsonSchema:
        if name in outer:
            return {"$ref": PREFIX + name}
        within = (*outer, name)
        described = with_subschemas(
            {k: v for k, v in part.items() if k != "title"},
            lambda each, field: self._replaced(each, name + pascal_case(field), within, suffix),
        )
        reference = {"$ref": PREFIX + self._add(name, {**described, "type": "object"}, suffix)}
        may_be_null = part["type"] != "object"
        return {"anyOf": [reference, {"type": "null"}]} if may_be_null else reference

    def _add(self, name: str, described: JsonSchema, suffix: str) -> str:
        """Add an object, unless it is known, and return its name."""
        known = self.schemas.setdefault(name, described)
        if known == described:
            return name
        if suffix:
            return self._add(name + suffix, described, "")
        raise StartError(f"OpenAPI: two different schemas are named {name}; rename one of them")
