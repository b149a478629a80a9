import t from 'tap'
import { createRestHandler, type Route } from '../../src/index.js'
import { testClient } from '../../src/hosts/testing.js'
import { createPeople } from './people.js'

const { schema } = createPeople()
const get: Route = {
  method: 'GET',
  path: '/person/{id}',
  operation: 'query A($id: ID!) { person(id: $id) { id version } }',
}
const put: Route = {
  method: 'PUT',
  path: '/person/{id}',
  body: 'input',
  operation:
    'mutation A($id: ID!, $input: PersonInput!, $v: Int) { replace(id: $id, input: $input, ifVersion: $v) { id version } }',
  ifMatch: 'v',
}
const query = (operation: string, more: Partial<Route> = {}): Route => ({
  method: 'GET',
  path: '/x',
  operation,
  ...more,
})

const mistakes: [name: string, routes: Route | Route[], what: string | RegExp][] = [
  ['no routes', [], 'routes: expected a list of at least one route.'],
  [
    'another method',
    { ...get, method: 'HEAD' as 'GET' },
    'the method must be one of GET, POST, PUT, PATCH, DELETE',
  ],
  [
    'a template without a slash',
    { ...get, path: 'person' },
    'the template must start with a slash',
  ],
  ['an empty segment', { ...get, path: '/person//{id}' }, 'the template has an empty segment'],
  ['a slash at the end', { ...get, path: '/person/' }, 'the template has an empty segment'],
  [
    'a name within a text',
    { ...get, path: '/person-{id}' },
    /"person-\{id\}" must be a plain text or one name/,
  ],
  [
    'a query in the template',
    { ...get, path: '/person?x' },
    /"person\?x" must be a plain text or one name/,
  ],
  ['a broken escape', { ...get, path: '/a%zz' }, 'the segment "a%zz" has a broken escape'],
  [
    'a segment of dots',
    { ...get, path: '/a/../{id}' },
    'the template has the segment "..", which clients resolve',
  ],
  [
    'no operation',
    { method: 'GET', path: '/x' } as Route,
    'its operation must be the text of a document',
  ],
  [
    'a location that is an object',
    query('{ person(id: 1) { address { city } } }', { location: '/x/{address}' }),
    'its location names "address", which is no single value',
  ],
  [
    'a version that is a list, within a fragment',
    query('{ thing { ...on Thing { marks } } }', { version: 'marks' }),
    'its version names "marks", which is no single value',
  ],
  ['a name twice', { ...get, path: '/{id}/{id}' }, 'the template names {id} twice'],
  ['a syntax error', query('query {'), /its operation does not fit the schema: Syntax Error/],
  [
    'an unknown field',
    query('{ nobody }'),
    /does not fit the schema: Cannot query field "nobody" on type "Query"/,
  ],
  [
    'two operations',
    query('query A { long } query B { long }'),
    'the document must have exactly one operation',
  ],
  ['no operation', query('fragment F on Person { id }'), /its operation|exactly one operation/],
  [
    'two root fields',
    query('{ long other: long }'),
    'the operation must have exactly one root field, and not in a fragment',
  ],
  ['a root field in a fragment', query('{ ... { long } }'), /exactly one root field/],
  [
    'GET with a mutation',
    query('mutation { remove(id: 1) { id } }'),
    'GET is a safe method and cannot run a mutation',
  ],
  [
    'a name without a variable',
    query('{ long }', { path: '/{id}' }),
    'its operation has no variable $id for {id}',
  ],
  [
    'a version that is not selected',
    { ...get, version: 'age' },
    'its version names "age", which the operation does not select',
  ],
  [
    'a location that is not selected',
    { ...get, location: '/p/{name}' },
    'its location names "name", which the operation does not select',
  ],
  [
    'a location that is no template',
    { ...get, location: 'p' },
    'its location is no template: the template must start with a slash',
  ],
  [
    'a version of a list',
    query('{ people { id version } }', { version: 'version' }),
    'a list has neither a version nor a location',
  ],
  ['another status', { ...get, status: 204 as 200 }, 'the status must be 200 or 201'],
  ['a body of GET', { ...get, body: 'id' }, 'a GET has no body, and no body'],
  ['media types of GET', { ...get, accepts: [] }, 'a GET has no body, and no accepts'],
  ['a when of GET', { ...get, when: 'id' }, 'a GET has no body, and no when'],
  [
    'an ifMatch of GET',
    query('query A($v: Int) { people(limit: $v) { id } }', { ifMatch: 'v' }),
    'ifMatch is for writes: a GET compares its ETag',
  ],
  [
    'a body without a variable',
    { ...put, body: 'x' },
    'its body names $x, which is no variable for a whole object',
  ],
  [
    'a body of a text',
    { ...put, body: 'id' },
    'its body names $id, which is no variable for a whole object',
  ],
  [
    'an ifMatch without a variable',
    { ...put, ifMatch: 'x' },
    'its ifMatch names $x, which is no variable of its own',
  ],
  [
    'an ifMatch of the path',
    { ...put, ifMatch: 'id' },
    'its ifMatch names $id, which is no variable of its own',
  ],
  [
    'an ifMatch that must be there',
    { ...put, operation: put.operation.replace('$v: Int', '$v: Int!') },
    '$v must be an Int that may be left out, as If-Match may be',
  ],
  [
    'a when that bodies do not have',
    { ...put, when: 'nothing' },
    'its when names "nothing", which its bodies do not have',
  ],
  [
    'a media type that is none',
    { ...put, accepts: ['Text'] },
    'accepts: "Text" is no media type in small letters',
  ],
  [
    'a required field that the path takes',
    {
      method: 'POST',
      path: '/x/{name}',
      body: 'input',
      operation:
        'mutation A($name: ID!, $input: PersonInput!) { replace(id: $name, input: $input) { id } }',
    },
    'nothing can fill the field "name" of $input: $name takes it',
  ],
  [
    'an object in the query',
    { ...put, method: 'DELETE', body: undefined as never, path: '/x' },
    '$input is an object, which the query cannot hold',
  ],
  [
    'a list in the path',
    query('query A($tags: [Int!]) { people(tags: $tags) { id } }', { path: '/{tags}' }),
    '$tags is a list, which the path cannot hold',
  ],
  [
    'a rule for what is no parameter',
    { ...get, parameters: { id: {} } },
    'its parameters name "id", which is no parameter of the query',
  ],
  [
    'bounds of a text',
    query('query A($how: String!) { fails(how: $how) { id } }', {
      parameters: { how: { minimum: 1 } },
    }),
    'the parameter "how" is no number and has no bounds',
  ],
  [
    'bounds with nothing between',
    query('query A($n: Int) { people(limit: $n) { id } }', {
      parameters: { n: { minimum: 2, maximum: 1 } },
    }),
    'the bounds of the parameter "n" leave nothing between them',
  ],
  [
    'a route twice',
    [get, { ...get, path: '/person/{id}' }],
    'it is never reached, since an earlier route of its method and path takes all',
  ],
  [
    'a route that differs in the name only',
    [get, query('query A($x: ID!) { person(id: $x) { id } }', { path: '/person/{x}' })],
    /never reached/,
  ],
  [
    'a route for a member that an earlier one takes',
    [
      { ...put, when: 'name' },
      { ...put, when: 'name' },
    ],
    'it is never reached, since an earlier route of its method and path takes those with "name"',
  ],
]

for (const [name, given, what] of mistakes) {
  void t.test(`${name} is told at once, with its route`, async (t) => {
    const routes = [given].flat()
    const route = routes.at(-1)
    const place = route ? `Route ${route.method} ${route.path}: ` : ''
    try {
      createRestHandler({ schema, routes })
      t.fail('it was taken')
    } catch (error) {
      t.ok(error instanceof TypeError, String(error))
      const { message } = error as Error
      if (typeof what === 'string') t.equal(message, `${place}${what}${route ? '.' : ''}`)
      else t.match(message, what)
      t.ok(message.startsWith(place), message)
    }
  })
}

void t.test('options that cannot be right are told at once', async (t) => {
  const routes = [get]
  t.throws(
    () => createRestHandler({ schema, routes, statusOfCode: { X: 200 } }),
    /statusOfCode: X is 200/,
  )
  t.throws(() => createRestHandler({ schema, routes, challenge: 'a\nb' }), /challenge/)
  t.throws(() => createRestHandler({ schema, routes, maxBodyBytes: -1 }), /maxBodyBytes/)
})

void t.test('a schema from a function is planned when it is first seen', async (t) => {
  const bugs: unknown[] = []
  const other = createPeople()
  let calls = 0
  const send = testClient(
    createRestHandler({
      schema: ({ target }) => {
        calls++
        return target.includes('9') ? schema : other.schema
      },
      routes: [get],
      onBug: (bug) => bugs.push(bug),
    }),
  )
  t.equal((await send({ target: '/person/1' })).status, 200)
  t.equal((await send({ target: '/person/9' })).status, 404)
  t.equal(calls, 2)
  const broken = testClient(
    createRestHandler({
      schema: () => schema,
      routes: [query('{ nobody }')],
      onBug: (bug) => bugs.push(bug),
    }),
  )
  const response = await broken({ target: '/x' })
  t.equal(response.status, 500)
  t.notMatch(response.body, 'nobody')
  t.match(bugs, [{ message: /^Route GET \/x: its operation does not fit/ }])
})
