"""The types of bodies, answers and parameters: one TypedDict for each schema with a name."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from masthead_client.generate.operations import FORM, Operation, Schema, attribute, reference

HEADER = '''\
"""The types of bodies, answers and parameters. Made from the OpenAPI document; don't edit."""
'''
_VALUES = ("maximum", "minimum", "maxLength", "minLength", "pattern", "maxItems", "minItems")
"""The bounds of values, which types can't express and the generator names types for."""


def types_module(document: Mapping[str, Any], operations: Iterable[Operation]) -> str:
    """Return the module with all types."""
    from datamodel_code_generator import InputFileType, generate
    from datamodel_code_generator.config import GenerateConfig
    from datamodel_code_generator.enums import DataModelType, OpenAPIScope
    from datamodel_code_generator.format import Formatter, PythonVersion
    from datamodel_code_generator.parser import LiteralType

    schemas = dict(document["components"]["schemas"])
    for each in operations:
        schemas |= dict(parameter_types(each, schemas))
    shown = {
        "openapi": document["openapi"],
        "info": {"title": "Masthead", "version": "1"},
        "paths": {},
        "components": {"schemas": without_bounds(schemas)},
    }
    made = generate(
        json.dumps(shown),
        config=GenerateConfig(
            input_file_type=InputFileType.OpenAPI,
            openapi_scopes=[OpenAPIScope.Schemas],
            output_model_type=DataModelType.TypingTypedDict,
            target_python_version=PythonVersion.PY_311,
            enum_field_as_literal=LiteralType.All,
            use_schema_description=True,
            use_field_description=True,
            use_single_line_docstring=True,
            use_standard_collections=True,
            use_union_operator=True,
            disable_timestamp=True,
            custom_file_header=HEADER,
            use_double_quotes=True,
            keep_model_order=True,
            formatters=[Formatter.BUILTIN],
            builtin_format_line_length=100,
        ),
    )
    return str(made)


def query_type(operation: Operation) -> str | None:
    """Return the name of the type of the query parameters; None if there are none."""
    return f"{operation.stem}Query" if operation.parameters("query") else None


def form_type(operation: Operation, schemas: Mapping[str, Schema]) -> str | None:
    """Return the name of the type of the form's fields beside the file; None if there are none."""
    if operation.body[0] != FORM:
        return None
    return f"{operation.stem}Form" if _fields(operation, schemas) else None


def parameter_types(
    operation: Operation, schemas: Mapping[str, Schema]
) -> Iterable[tuple[str, Schema]]:
    """Yield the schemas of the keyword arguments of an operation, with their names."""
    title = f"of `{operation.id}`."
    if (name := query_type(operation)) is not None:
        found = operation.parameters("query")
        yield (
            name,
            {
                "type": "object",
                "description": f"The query parameters {title}",
                "properties": {
                    attribute(each["name"]): {
                        **each["schema"],
                        "description": each.get("description", ""),
                    }
                    for each in found
                },
                "required": [attribute(each["name"]) for each in found if each.get("required")],
            },
        )
    if (name := form_type(operation, schemas)) is not None:
        fields = _fields(operation, schemas)
        yield name, {"type": "object", "description": f"The fields {title}", "properties": fields}


def _fields(operation: Operation, schemas: Mapping[str, Schema]) -> Schema:
    form = schemas[str(reference(operation.body[1]))]
    return {name: value for name, value in form["properties"].items() if name != "file"}


def without_bounds(schema: Any) -> Any:
    """Return a schema without bounds and examples."""
    if isinstance(schema, list):
        return [without_bounds(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    # A member of an object can have the name of a bound; its value is a schema then.
    return {
        name: without_bounds(value)
        for name, value in schema.items()
        if isinstance(value, dict) or name not in (*_VALUES, "examples", "example")
    }
