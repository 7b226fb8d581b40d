# SPDX-License-Identifier: Apache-2.0
"""reference/certificate.md: the fields of a certificate as tables, from the JSON Schema, and the schema itself."""
import json


def type_of(schema):
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return f"[{name}](#{name})"
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    for key in ("oneOf", "anyOf"):
        if key in schema:
            return " or ".join(map(type_of, schema[key]))
    kind = schema.get("type", "anything")
    kind = " or ".join(kind) if isinstance(kind, list) else kind
    if kind == "array" and "items" in schema:
        return f"list of {type_of(schema['items'])}"
    return f"{kind} `{schema['pattern']}`".replace("|", "\\|") if "pattern" in schema else kind


def rows(schema, path=""):
    """A row for each field, those inside after it."""
    for name, field in schema.get("properties", {}).items():
        here = f"{path}/{name}"
        optional = "" if name in schema.get("required", ()) else "optional; "
        yield f"| `{here}` | {optional}{type_of(field)} | {field.get('description', '')} |"
        yield from rows(field, here)
        if "items" in field:
            yield from rows(field["items"], here + "/*")


def table(schema):
    listed = list(rows(schema))
    if listed:
        return "\n".join(["| field | is | |", "|---|---|---|", *listed])
    alternatives = schema.get("oneOf") or schema.get("anyOf") or []
    described = "\n\n".join(f"Either {type_of(one)}:\n\n{table(one)}" for one in alternatives if list(rows(one)))
    return described or f"Is {type_of(schema)}."


def write(folder):
    file = folder / "certificate.schema.json"
    text = file.read_text(encoding="utf-8")
    schema = json.loads(text)
    parts = ["# Certificate schema\n",
             f"{schema['title']}. [Certificates](../guides/certificate.md) says what the fields mean and how they are checked; "
             "this page is the format, field by field, as `docs/reference/certificate.schema.json` has it. "
             "`*` stands for every element of a list.\n",
             table(schema) + "\n"]
    for name, definition in schema["$defs"].items():
        note = definition.get("description", "")
        parts.append(f"## {name}\n\n" + (f"{note[:1].upper()}{note[1:]}.\n\n" if note else "") + table(definition) + "\n")
    parts.append(f"## The schema\n\n```json\n{text.rstrip()}\n```\n")
    (folder / "certificate.md").write_text("\n".join(parts), encoding="utf-8")
