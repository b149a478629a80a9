"""The standard schema behind a small WSGI application, as one writes it around graphql-core.

Runs with what Debian packages: python3-graphql-core (2.3 or 3.2) and python3-waitress. What it does on purpose, and
what many servers in the field do: POST takes JSON only, GET takes parameters, a mutation by GET is refused with 405 and
Allow, the answer is always application/json, 200 where something was executed and 400 where nothing was.
"""

import json
import os
import time
from pathlib import Path
from urllib.parse import parse_qs

import graphql
from graphql import build_ast_schema, parse
from waitress import serve

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures" / "standard"
PORT = int(os.environ.get("PORT", "4000"))
VERSION_2 = graphql.__version__.startswith("2.")


def resolve_slow(_root, _info, ms):
    if not 0 <= ms <= 60_000:
        raise ValueError("ms must be 0 to 60000.")
    time.sleep(ms / 1000)
    return str(ms)


def resolve_fail(_root, _info):
    raise ValueError("The field fails.")


persons = {one["id"]: one for one in json.loads((FIXTURES / "persons.json").read_text("utf-8"))}
counter = 0


def resolve_friends(person, _info, limit=None):
    if limit is not None and limit < 0:
        raise ValueError("limit must not be negative.")
    ids = person["friends"] if limit is None else person["friends"][:limit]
    return [persons[one] for one in ids]


def rename_person(_root, _info, id, name):
    if id not in persons:
        return None
    persons[id] = {**persons[id], "name": name}
    return persons[id]


def increment(_root, _info):
    global counter
    counter += 1
    return counter


RESOLVERS = {
    "Query": {
        "person": lambda _root, _info, id: persons.get(id),
        "echo": lambda _root, _info, s: s,
        "fail": resolve_fail,
        "failNonNull": resolve_fail,
        "slow": resolve_slow,
        "counter": lambda _root, _info: counter,
        "people": lambda _root, _info: list(persons.values()),
        # No subscriptions, no sources.
        "openSources": lambda _root, _info: 0,
    },
    "Mutation": {"renamePerson": rename_person, "increment": increment},
    "Person": {"friends": resolve_friends},
}


def make_schema():
    sdl = (FIXTURES / "schema.graphql").read_text("utf-8")
    if VERSION_2:  # which knows no descriptions in SDL; each of ours is a line of its own
        sdl = "\n".join(line for line in sdl.split("\n") if not line.lstrip().startswith('"'))
    schema = build_ast_schema(parse(sdl))
    for type_name in ("Query", "Mutation", "Person", "Address"):
        fields = schema.get_type(type_name).fields
        for name, field in fields.items():
            own = RESOLVERS.get(type_name, {}).get(name)
            setattr(field, "resolver" if VERSION_2 else "resolve", own or member(name))
    return schema


def member(name):
    return lambda parent, _info: parent[name]


schema = make_schema()


def execute(query, variables, operation_name):
    if VERSION_2:
        result = graphql.graphql(schema, query, None, None, variables, operation_name)
        executed = not result.invalid
        errors = [graphql.format_error(error) for error in result.errors or []]
    else:
        result = graphql.graphql_sync(
            schema, query, variable_values=variables, operation_name=operation_name
        )
        errors = [error.formatted for error in result.errors or []]
        executed = result.data is not None or any(error.get("path") for error in errors)
    answer = {"data": result.data} if executed else {}
    if errors:
        answer["errors"] = errors
    return ("200 OK" if executed else "400 Bad Request"), answer


def is_mutation(query, operation_name):
    try:
        definitions = parse(query).definitions
    except graphql.GraphQLError:
        return False
    operations = [one for one in definitions if hasattr(one, "operation")]
    if operation_name:
        operations = [one for one in operations if one.name and one.name.value == operation_name]
    kinds = [getattr(one.operation, "value", one.operation) for one in operations]
    return kinds == ["mutation"]


class Refusal(Exception):
    def __init__(self, status, message, headers=()):
        super().__init__(message)
        self.status = status
        self.headers = list(headers)


def read_parameters(environ):
    if environ["REQUEST_METHOD"] == "GET":
        parameters = {
            name: values[0] for name, values in parse_qs(environ.get("QUERY_STRING", "")).items()
        }
        if "variables" in parameters:
            parameters["variables"] = load_json(parameters["variables"])
        return parameters
    media_type = environ.get("CONTENT_TYPE", "").split(";")[0].strip().lower()
    if media_type != "application/json":
        raise Refusal("415 Unsupported Media Type", "The body must be application/json.")
    return load_json(environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0)))


def load_json(text):
    try:
        return json.loads(text)
    except ValueError:
        raise Refusal("400 Bad Request", "This is no JSON.") from None


def answer_request(environ):
    if environ["PATH_INFO"] != "/graphql":
        raise Refusal("404 Not Found", "Nothing is here.")
    if environ["REQUEST_METHOD"] not in ("GET", "POST"):
        raise Refusal("405 Method Not Allowed", "Use GET or POST.", [("Allow", "GET, POST")])
    parameters = read_parameters(environ)
    if not isinstance(parameters, dict) or not isinstance(parameters.get("query"), str):
        raise Refusal("400 Bad Request", "A query is needed.")
    query, operation_name = parameters["query"], parameters.get("operationName")
    variables = parameters.get("variables")
    if variables is not None and not isinstance(variables, dict):
        raise Refusal("400 Bad Request", "The variables must be an object.")
    if operation_name is not None and not isinstance(operation_name, str):
        raise Refusal("400 Bad Request", "The operationName must be a string.")
    if environ["REQUEST_METHOD"] == "GET" and is_mutation(query, operation_name):
        raise Refusal("405 Method Not Allowed", "Use POST for a mutation.", [("Allow", "POST")])
    return execute(query, variables, operation_name)


def application(environ, start_response):
    headers = []
    try:
        status, answer = answer_request(environ)
    except Refusal as refusal:
        status, headers = refusal.status, refusal.headers
        answer = {"errors": [{"message": str(refusal)}]}
    body = json.dumps(answer).encode("utf-8")
    start_response(
        status,
        [("Content-Type", "application/json"), ("Content-Length", str(len(body))), *headers],
    )
    return [body]


print(f"ready at http://127.0.0.1:{PORT}/graphql", flush=True)
serve(application, host="127.0.0.1", port=PORT, threads=16, _quiet=True)
