"""Makes Resources/Types/*.d.ts, the types of the pages' JSON, from docs/schemas.

    page_types.py            writes them
    page_types.py --check    fails where one is not up to date

Each definition of a schema becomes a type of its name. A keyword that says nothing about types is
left out; one that is not known here is an error, so that no type is wider than its schema unseen.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("live", "watch", "studio")
PRIMITIVES = {
    "string": "string", "number": "number", "integer": "number", "boolean": "boolean",
    "null": "null",
}  # fmt: skip
# Keywords of values, which types cannot say.
IGNORED = {
    "description", "format", "maximum", "minimum", "pattern", "minItems", "maxItems",
    "minProperties", "maxProperties",
}  # fmt: skip
SHAPES = {
    "$ref", "additionalProperties", "allOf", "anyOf", "const", "enum", "items", "properties",
    "required", "type",
}  # fmt: skip
LONGEST_TUPLE = 4

Schema = dict[str, Any]


def type_name(definition: str) -> str:
    return definition[0].upper() + definition[1:]


def expression(schema: Schema, indent: str) -> str:
    """The type of the values that fit a schema."""
    if unknown := schema.keys() - IGNORED - SHAPES:
        raise SystemExit(f"page_types.py: teach it the keyword {min(unknown)}")
    if "$ref" in schema:
        return type_name(schema["$ref"].removeprefix("#/definitions/"))
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(map(json.dumps, schema["enum"]))
    if "anyOf" in schema:
        return " | ".join(expression(part, indent) for part in schema["anyOf"])
    if "allOf" in schema:
        return intersection(schema["allOf"], indent)
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return " | ".join(
        record(schema, indent) if kind == "object"
        else array(schema, indent) if kind == "array"
        else PRIMITIVES[kind]
        for kind in kinds
    )  # fmt: skip


def intersection(parts: list[Schema], indent: str) -> str:
    """All of several; one that only has `required` stands for all members of the others."""
    shapes = [expression(part, indent) for part in parts if part.keys() != {"required"}]
    whole = " & ".join(f"({shape})" if " | " in shape else shape for shape in shapes)
    return f"Required<{whole}>" if len(shapes) < len(parts) else whole


def record(schema: Schema, indent: str) -> str:
    if "properties" not in schema:
        return f"{{[name: string]: {expression(schema['additionalProperties'], indent)}}}"
    inner = indent + "  "
    lines = []
    for name, member in schema["properties"].items():
        if "description" in member:
            lines.append(f"{inner}/** {member['description']} */")
        mark = "" if name in schema.get("required", []) else "?"
        lines.append(f"{inner}{name}{mark}: {expression(member, inner)};")
    return "\n".join(["{", *lines, indent + "}"])


def array(schema: Schema, indent: str) -> str:
    items = schema["items"]
    count = schema.get("minItems")
    if isinstance(items, list):
        return f"[{', '.join(expression(item, indent) for item in items)}]"
    item = expression(items, indent)
    if count and count == schema.get("maxItems") and count <= LONGEST_TUPLE:
        return f"[{', '.join([item] * count)}]"
    return f"({item})[]" if " | " in item or " & " in item else f"{item}[]"


def module(name: str) -> str:
    """The text of the module of a schema's types."""
    schema = json.loads((ROOT / "docs" / "schemas" / f"{name}.json").read_text())
    lines = [f"// Made from docs/schemas/{name}.json by `make web-types`.", ""]
    for definition, content in schema["definitions"].items():
        if "description" in content:
            lines.append(f"/** {content['description']} */")
        lines += [f"export type {type_name(definition)} = {expression(content, '')};", ""]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="fail where one is not up to date")
    checks = parser.parse_args().check
    stale = []
    for name in NAMES:
        file = ROOT / "Resources" / "Types" / f"{name}.d.ts"
        text = module(name)
        if file.exists() and file.read_text() == text:
            continue
        stale.append(str(file.relative_to(ROOT)))
        if not checks:
            file.parent.mkdir(exist_ok=True)
            file.write_text(text)
    if checks and stale:
        sys.exit(f"{', '.join(stale)}: not as docs/schemas has it; run `make web-types`")


if __name__ == "__main__":
    main()
