import t from 'tap'
import { createRestHandler, type Route } from '@graphwire/rest'
import { testClient } from 'graphwire/testing'
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

// oxfmt-ignore
const mistakes: [name: string, routes: Route | Route[], what: string | RegExp][] = [
  ['a template without a slash',      { ...get, path: 'person' },                 'the template must start with "/"'],
  ['an empty segment',                { ...get, path: '/person//{id}' },          'the template has an empty segment'],
  ['a slash at the end',              { ...get, path: '/person/' },               'the template has an empty segment'],
  ['a name within a text',            { ...get, path: '/person-{id}' },           /"person-\{id\}" must be either literal text or a variable/],
  ['a query in the template',         { ...get, path: '/person?x' },              /"person\?x" must be either literal text or a variable/],
  ['a broken escape',                 { ...get, path: '/a%zz' },                  'the segment "a%zz" has an invalid percent-escape'],
  ['a segment of dots',               { ...get, path: '/a/../{id}' },             'the template has the segment "..", which clients remove before sending'],
  ['a location that is an object', query('{ person(id: 1) { address { city } } }', { location: '/x/{address}' }), 'location: "address" is not a single value'],
  ['a version that is a list, within a fragment', query('{ thing { ...on Thing { marks } } }', { version: 'marks' }), 'version: "marks" is not a single value'],
  ['a name twice',                    { ...get, path: '/{id}/{id}' },             'the template has {id} twice'],
  ['a syntax error',                  query('query {'),                           /the operation is not valid for the schema: Syntax Error.*[^.]\.$/],
  ['an unknown field',                query('{ nobody }'),                        /not valid for the schema: Cannot query field "nobody" on type "Query"/],
  ['two operations',                  query('query A { long } query B { long }'), 'the document must have exactly one operation'],
  ['no operation',                    query('fragment F on Person { id }'),       /not valid for the schema|exactly one operation/],
  ['two root fields',                 query('{ long other: long }'),              'the operation must have exactly one root field, and not in a fragment'],
  ['a root field in a fragment',      query('{ ... { long } }'),                  /exactly one root field/],
  ['GET with a mutation',             query('mutation { remove(id: 1) { id } }'), 'GET is a safe method and cannot run a mutation'],
  ['a name without a variable',       query('{ long }', { path: '/{id}' }),       'the operation has no variable $id for {id}'],
  ['a version that is not selected',  { ...get, version: 'age' },                 'version: the operation does not select "age"'],
  ['a location that is not selected', { ...get, location: '/p/{name}' },          'location: the operation does not select "name"'],
  ['a location that is not a template', { ...get, location: 'p' }, 'location is not a valid template: the template must start with "/"'],
  ['a version of a list', query('{ people { id version } }', { version: 'version' }), 'a list cannot have a version or a location'],
  ['a GET without an answer',         { ...get, status: 204 },                    'the status of a GET cannot be 204, since it returns a value'],
  ['a body of GET',                   { ...get, body: 'id' },                     'a GET has no body, so body does not apply'],
  ['media types of GET',              { ...get, accepts: [] },                    'a GET has no body, so accepts does not apply'],
  ['a when of GET',                   { ...get, when: 'id' },                     'a GET has no body, so when does not apply'],
  ['an ifMatch of GET', query('query A($v: Int) { people(limit: $v) { id } }', { ifMatch: 'v' }), 'ifMatch is for writes only: a GET compares ETags'],
  ['a body without a variable',       { ...put, body: 'x' },                      'body: $x is not a variable that takes a whole object'],
  ['a body of a text',                { ...put, body: 'id' },                     'body: $id is not a variable that takes a whole object'],
  ['an ifMatch without a variable',   { ...put, ifMatch: 'x' },                   'ifMatch: $x is not a separate variable of the operation'],
  ['an ifMatch of the path',          { ...put, ifMatch: 'id' },                  'ifMatch: $id is not a separate variable of the operation'],
  [
    'an ifMatch that must be there',
    { ...put, operation: put.operation.replace('$v: Int', '$v: Int!') },
    '$v must be a nullable Int, since If-Match is optional',
  ],
  ['a when that bodies do not have', { ...put, when: 'nothing' },   'when: bodies of this route have no member "nothing"'],
  ['a media type that is none',      { ...put, accepts: ['Text'] }, 'accepts: "Text" is not a media type in lower case'],
  [
    'a required field that the path takes',
    {
      method: 'POST',
      path: '/x/{name}',
      body: 'input',
      operation:
        'mutation A($name: ID!, $input: PersonInput!) { replace(id: $name, input: $input) { id } }',
    },
    'the field "name" of $input can never be set, because $name takes that member',
  ],
  ['an object in the query', { ...put, method: 'DELETE', body: undefined as never, path: '/x' }, '$input is an object, which cannot be sent in the query'],
  [
    'a list in the path',
    query('query A($tags: [Int!]) { people(tags: $tags) { id } }', { path: '/{tags}' }),
    '$tags is a list, which cannot be sent in the path',
  ],
  ['a rule for something that is not a parameter', { ...get, parameters: { id: {} } }, 'parameters: "id" is not a query parameter'],
  [
    'bounds of a text',
    query('query A($how: String!) { fails(how: $how) { id } }', { parameters: { how: { minimum: 1 } } }),
    'parameters: "how" is not a number, so it cannot have bounds',
  ],
  [
    'bounds with nothing between',
    query('query A($n: Int) { people(limit: $n) { id } }', { parameters: { n: { minimum: 2, maximum: 1 } } }),
    'parameters: the minimum of "n" is greater than its maximum',
  ],
  ['a route twice', [get, { ...get, path: '/person/{id}' }], 'it can never be reached: an earlier route with the same method and path takes all bodies'],
  ['a route that differs in the name only', [get, query('query A($x: ID!) { person(id: $x) { id } }', { path: '/person/{x}' })], /never be reached/],
  [
    'a route for a member that an earlier one takes',
    [{ ...put, when: 'name' }, { ...put, when: 'name' }],
    'it can never be reached: an earlier route with the same method and path takes bodies with "name"',
  ],
]

for (const [name, given, what] of mistakes) {
  void t.test(`${name} is reported at once, with its route`, async (t) => {
    const routes = [given].flat()
    const route = routes.at(-1)
    const place = `Route ${route?.method} ${route?.path}: `
    try {
      createRestHandler({ schema, routes })
      t.fail('it was taken')
    } catch (error) {
      t.ok(error instanceof TypeError, String(error))
      const { message } = error as Error
      if (typeof what === 'string') t.equal(message, `${place}${what}.`)
      else t.match(message, what)
      t.ok(message.startsWith(place), message)
    }
  })
}

void t.test('limits of documents do not apply to the documents of routes', async (t) => {
  const handler = createRestHandler({ schema, routes: [get], maxDepth: 1, maxTokens: 5 })
  t.equal((await testClient(handler)({ target: '/person/1' })).status, 200)
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
  t.match(bugs, [{ message: /^Route GET \/x: the operation is not valid/ }])
})
