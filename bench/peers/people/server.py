"""W1 to W4 behind a small WSGI application, as one writes it around graphql-core.

Reads PORT, and the persons from the file PEOPLE. Debian: python3-graphql-core and python3-waitress.
"""

import json
import os
from pathlib import Path
from urllib.parse import parse_qs

import graphql
from graphql import build_ast_schema, parse
from waitress import serve

VERSION_2 = graphql.__version__.startswith("2.")

service = json.loads(Path(os.environ["PEOPLE"]).read_text("utf-8"))
people = service["people"]
by_id = {one["id"]: one for one in people}

RESOLVERS = {
    "Query": {
        "hello": lambda _root, _info: "Hello, world!",
        "person": lambda _root, _info, id: by_id.get(id),
        "people": lambda _root, _info, limit=None: people[:limit],
    },
    "Person": {
        "friends": lambda one, _info, limit=None: [by_id[id] for id in one["friends"][:limit]],
    },
}


def member(name):
    return lambda parent, _info: parent[name]


def make_schema():
    schema = build_ast_schema(parse(service["typeDefs"]))
    for type_name in ("Query", "Person", "Address"):
        for name, field in schema.get_type(type_name).fields.items():
            own = RESOLVERS.get(type_name, {}).get(name)
            setattr(field, "resolver" if VERSION_2 else "resolve", own or member(name))
    return schema


schema = make_schema()


def execute(query, variables):
    if VERSION_2:
        result = graphql.graphql(schema, query, None, None, variables)
        errors = [graphql.format_error(error) for error in result.errors or []]
    else:
        result = graphql.graphql_sync(schema, query, variable_values=variables)
        errors = [error.formatted for error in result.errors or []]
    return {"data": result.data, **({"errors": errors} if errors else {})}


def application(environ, start_response):
    if environ["REQUEST_METHOD"] == "GET":
        parameters = {"query": parse_qs(environ["QUERY_STRING"])["query"][0]}
    else:
        parameters = json.loads(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))
    answer = execute(parameters["query"], parameters.get("variables"))
    body = json.dumps(answer).encode("utf-8")
    headers = [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
    start_response("200 OK", headers)
    return [body]


serve(application, host="127.0.0.1", port=int(os.environ["PORT"]), threads=4, _quiet=True)
