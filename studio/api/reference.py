"""The OpenAPI document as people read it: by subject, with the fields that go in and come out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from studio.api import stream

Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter, or a field of a body; `place` is `path`, `query`, `header` or empty."""

    name: str
    type: str
    text: str = ""
    required: bool = False
    place: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What comes if all goes well: these fields, or `many` times these."""

    status: str
    media_type: str = ""
    fields: list[Field] = field(default_factory=list)
    many: bool = False


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing to do; `shell` is how to do it with curl."""

    id: str
    method: str
    path: str
    summary: str
    text: str
    takes: list[Field]
    gives: Answer
    shell: str


@dataclass(frozen=True, slots=True)
class Group:
    title: str
    operations: list[Operation] = field(default_factory=list)


def groups(document: Schema, base: str) -> list[Group]:
    """The operations by subject, in the order of the document."""
    found: dict[str, Group] = {}
    for path, operations in document["paths"].items():
        for method, about in operations.items():
            group = found.setdefault(about["tags"][0], Group(about["tags"][0]))
            group.operations.append(_operation(document, base, path, method, about))
    return list(found.values())


def _operation(document: Schema, base: str, path: str, method: str, about: Schema) -> Operation:
    body, form = _body(document, about)
    gives = _answer(document, about)
    return Operation(
        id=about["operationId"],
        method=method.upper(),
        path=path.removeprefix("/api/v1"),
        summary=about["summary"],
        text=about.get("description", ""),
        takes=[*_parameters(about), *body],
        gives=gives,
        shell=_shell(base + path.removeprefix("/api/v1"), method.upper(), body, form, gives),
    )


def _parameters(about: Schema) -> Iterator[Field]:
    for each in about["parameters"]:
        text = each.get("description", "")
        yield Field(each["name"], _type(each["schema"]), text, each["required"], each["in"])


def _body(document: Schema, about: Schema) -> tuple[list[Field], bool]:
    """The fields of what is sent, and whether that is a form."""
    for media_type, content in about.get("requestBody", {}).get("content", {}).items():
        return _fields(document, content["schema"]), media_type != "application/json"
    return [], False


def _answer(document: Schema, about: Schema) -> Answer:
    status = min(about["responses"], key=lambda each: int(each))
    for media_type, content in about["responses"][status].get("content", {}).items():
        schema = _resolved(document, content["schema"])
        listed = schema if schema.get("type") == "array" else schema["properties"].get("items", {})
        many = media_type == stream.MEDIA_TYPE or "items" in listed
        fields = _fields(document, listed.get("items", schema))
        return Answer(str(status), media_type, fields, many)
    return Answer(str(status))


def _fields(document: Schema, schema: Schema) -> list[Field]:
    schema = _resolved(document, schema)
    required = schema.get("required", ())
    return [
        Field(name, _type(about), about.get("description", ""), name in required)
        for name, about in schema.get("properties", {}).items()
    ]


def _resolved(document: Schema, schema: Schema) -> Schema:
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def _type(schema: Schema) -> str:
    match schema:
        case {"$ref": ref}:
            return str(ref).rpartition("/")[2]
        case {"anyOf": several}:
            return " | ".join(_type(each) for each in several)
        case {"enum": values}:
            return " | ".join(map(str, values))
        case {"const": value}:
            return str(value)
        case {"type": "array", "items": items}:
            return f"{_type(items)}[]"
        case {"type": "string", "format": form}:
            return {"date-time": "time", "binary": "file"}.get(str(form), str(form))
        case {"type": kind}:
            return str(kind)
    return ""


def _shell(url: str, method: str, body: list[Field], form: bool, gives: Answer) -> str:
    lines = ['curl -H "Authorization: Bearer $STUDIO_TOKEN"']
    if form:
        lines += [f"  -F {each.name}={'@' if 'file' in each.type else ''}…" for each in body]
    elif body:
        lines += [f"  --json '{{\"{body[0].name}\": …}}'"]
    if method != "GET" and not (form or (body and method == "POST")):
        lines.append(f"  -X {method}")
    if gives.status == "302":
        lines.append("  -L -o …")
    if gives.media_type == stream.MEDIA_TYPE:
        lines.append("  -N")
    named = re.sub(r"{(\w+?)(_id)?}", lambda found: f"${found[1].upper()}", url)
    return " \\\n".join([*lines, f'  "{named}"'])
