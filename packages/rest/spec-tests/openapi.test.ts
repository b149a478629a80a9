import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as graphql from 'graphql'
import * as graphql16 from 'graphql-16'
import t from 'tap'
import type { GraphQLModule } from 'graphwire'
import { createApiDescription, type ApiDescriptionOptions } from '@graphwire/rest'
import type { Route } from '@graphwire/rest'

const sdl = `
  type Item { id: ID!  name: String!  note: String  version: Int! }
  type Receipt { id: ID!  text: String! }
  input NewItem { name: String!  note: String }
  input ItemChange { name: String  note: String }
  scalar Tree
  type Query {
    "One item."
    item(id: ID!): Item
    items("How many." limit: Int, after: ID, colors: [String!], sizes: [Int!], sort: String @deprecated(reason: "It is by age.")): [Item!]!
    oldItem(id: ID!): Item @deprecated(reason: "Use item.")
    health: Boolean!
  }
  type Mutation {
    "Makes an item."
    createItem(input: NewItem!): Item
    "Merges."
    changeItem(id: ID!, input: ItemChange!, ifVersion: Int): Item
    replaceItem(id: ID!, input: NewItem!, ifVersion: Int): Item
    deleteItem(id: ID!, ifVersion: Int): Item
    send(to: ID!, text: String!, loud: Boolean): Receipt
    plant(tree: Tree, name: String): Receipt
  }
`

const fields = '{ id name note version }'
// oxfmt-ignore
const routes: readonly Route[] = [
  {
    method: 'GET',
    path: '/items',
    operation: `query Items($limit: Int = 10, $after: ID, $colors: [String!], $sizes: [Int!], $sort: String) {
      items(limit: $limit, after: $after, colors: $colors, sizes: $sizes, sort: $sort) { id name }
    }`,
    parameters: { limit: { minimum: 1, maximum: 100 }, sizes: { minimum: 0 }, after: { description: 'The last one seen.' } },
    headers: () => ({}),
    headerDescriptions: { Link: 'The next page, while there is one.' },
    summary: 'Items, oldest first',
    tags: ['items'],
  },
  { method: 'GET', path: '/item/{id}', operation: `query Item($id: ID!) { item(id: $id) ${fields} }`, version: 'version', tags: ['items'] },
  {
    method: 'POST',
    path: '/item',
    when: 'id',
    body: 'input',
    ifMatch: 'ifVersion',
    operation: `mutation MergeItem($id: ID!, $input: ItemChange!, $ifVersion: Int) {
      changeItem(id: $id, input: $input, ifVersion: $ifVersion) ${fields}
    }`,
    version: 'version',
  },
  {
    method: 'POST',
    path: '/item',
    body: 'input',
    status: 201,
    location: '/item/{id}',
    operation: `mutation CreateItem($input: NewItem!) { createItem(input: $input) ${fields} }`,
    version: 'version',
    tags: ['items'],
  },
  {
    method: 'PATCH',
    path: '/item/{id}',
    body: 'input',
    ifMatch: 'ifVersion',
    accepts: ['application/merge-patch+json'],
    operation: `mutation MergeItem($id: ID!, $input: ItemChange!, $ifVersion: Int) {
      changeItem(id: $id, input: $input, ifVersion: $ifVersion) ${fields}
    }`,
    version: 'version',
  },
  {
    method: 'DELETE',
    path: '/item/{id}',
    ifMatch: 'ifVersion',
    operation: `mutation ($id: ID!, $ifVersion: Int) { deleteItem(id: $id, ifVersion: $ifVersion) ${fields} }`,
    version: 'version',
  },
  {
    method: 'PUT',
    path: '/thing',
    body: 'input',
    operation: `mutation ReplaceItem($id: ID!, $input: NewItem!) { replaceItem(id: $id, input: $input) ${fields} }`,
  },
  {
    method: 'POST',
    path: '/message',
    status: 201,
    operation: `mutation Send($to: ID!, $text: String!, $loud: Boolean = false) {
      send(to: $to, text: $text, loud: $loud) { id text }
    }`,
    description: 'Sends a text.',
  },
  { method: 'PATCH', path: '/thing',                                operation: 'mutation ReplaceItem($id: ID!) { deleteItem(id: $id) { id } }' },
  { method: 'PUT',   path: '/trees',                  body: 'tree', operation: 'mutation Plant($tree: Tree!) { plant(tree: $tree) { id } }' },
  { method: 'GET',   path: '/health',                               operation: '{ health }' },
  { method: 'GET',   path: '/old/{id}',                             operation: 'query OldItem($id: ID = "1") { oldItem(id: $id) { id } }' },
  { method: 'POST',  path: '/tree',     when: 'name',               operation: 'mutation Name($name: String) { plant(name: $name) { id } }' },
  { method: 'POST',  path: '/tree',                   body: 'tree', operation: 'mutation Plant($tree: Tree!) { plant(tree: $tree) { id } }' },
]

const options: Omit<ApiDescriptionOptions<unknown>, 'schema' | 'routes'> = {
  info: { title: 'Items', version: '1.0.0', description: 'Things.' },
  servers: [{ url: 'https://items.example' }],
  securitySchemes: {
    apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  },
  security: ({ method, path }) => {
    if (path === '/health') return []
    const either = [{ apiKey: [] }, { bearer: [] }]
    return method === 'GET' ? [{}, ...either] : either
  },
  methodOverride: true,
  problemBase: 'https://items.example/problems/',
  moreOperations: {
    '/login': { post: { operationId: 'login', responses: { 200: { description: 'A token.' } } } },
    '/health': { trace: { operationId: 'items', responses: { 200: { description: 'An echo.' } } } },
  },
}

/** Data of which nothing is known but that it is JSON. */
type Json = { readonly [name: string]: Json } & readonly Json[]

function describe(more: Partial<ApiDescriptionOptions<unknown>> = {}): Json {
  const schema = graphql.buildSchema(sdl)
  return createApiDescription({ ...options, schema, routes, ...more }) as Json
}

const document = describe()

function operation(method: string, path: string): Json {
  const found = document['paths']?.[path]?.[method]
  if (found === undefined) throw new Error(`${method} ${path} is not described.`)
  return found
}

void t.test('the document is OpenAPI 3.1 to the official schema', async (t) => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(document))
  t.ok(valid, JSON.stringify(errors))
  t.equal(validator.version, '3.1')
  const broken = Object.assign(structuredClone(document), { paths: { items: {} } })
  t.notOk((await new Validator().validate(broken)).valid, 'and that schema finds faults')
})

void t.test('every reference leads to a component', async (t) => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)]
  t.ok(references.length > 50)
  for (const steps of new Set(references.map(([, found = '']) => found))) {
    const target = steps.split('/').reduce<Json | undefined>((at, key) => at?.[key], document)
    t.ok(target, steps)
  }
})

void t.test('the document is JSON, the same each time and on both majors of graphql', async (t) => {
  t.strictSame(JSON.parse(JSON.stringify(document)), document)
  t.equal(JSON.stringify(describe()), JSON.stringify(document))
  const schema = graphql16.buildSchema(sdl) as unknown as graphql.GraphQLSchema
  const by16 = describe({ schema, graphql: graphql16 as unknown as GraphQLModule })
  t.equal(JSON.stringify(by16), JSON.stringify(document))
})

void t.test('the description contains the given options', async (t) => {
  t.strictSame(document['info'], options.info)
  t.strictSame(document['servers'], options.servers)
  t.strictSame(document['components']?.['securitySchemes'], options.securitySchemes)
  t.strictSame(document['paths']?.['/login'], options.moreOperations?.['/login'])
  t.strictSame(Object.keys(document['paths']?.['/health'] ?? {}), ['get', 'head', 'trace'])
  const callId = { name: 'X-Call-Id', in: 'header', schema: { type: 'string' } }
  const { paths } = describe({ parameters: ({ method }) => (method === 'PUT' ? [callId] : []) })
  t.strictSame(paths?.['/trees']?.['put']?.['parameters'], [callId])
  t.strictSame(paths?.['/item/{id}'], document['paths']?.['/item/{id}'])
})

/** An operation's name, the statuses beside those that any has, and its parameters; `!` are required. */
// oxfmt-ignore
const operationRows: readonly [method: string, path: string, id: string, statuses: string, parameters: string][] = [
  ['get',    '/items',     'items2',       '200 304 401 403 412',                 'limit after colors sizes sort If-None-Match If-Match'],
  ['head',   '/items',     'headItems2',   '200 304 401 403 412',                 'limit after colors sizes sort If-None-Match If-Match'],
  ['get',    '/item/{id}', 'item',         '200 304 401 403 404 412',             'id! If-None-Match If-Match'],
  ['post',   '/item',      'createItem',   '200 201 401 403 404 405 409 412 413 415', 'If-Match'],
  ['patch',  '/item/{id}', 'mergeItem',    '200 401 403 404 409 412 413 415',     'id! If-Match'],
  ['delete', '/item/{id}', 'deleteItemId', '200 401 403 404 409 412',             'id! If-Match'],
  ['post',   '/item/{id}', 'postItemId',   '200 401 403 404 405 409 412 413 415', 'id! If-Match X-HTTP-Method-Override!'],
  ['get',    '/health',    'getHealth',    '200 304 412',                         'If-None-Match If-Match'],
  ['put',    '/thing',     'replaceItem',  '200 401 403 404 409 413 415',         ''],
  ['patch',  '/thing',     'replaceItem2', '200 401 403 404 409 413 415',         ''],
  ['get',    '/old/{id}',  'oldItem',      '200 304 401 403 404 412',             'id! If-None-Match If-Match'],
  ['post',   '/message',   'send',         '201 401 403 404 405 409 413 415',     ''],
]
for (const [method, path, id, statuses, parameters] of operationRows) {
  void t.test(`${method} ${path} is ${id}, with its statuses and parameters`, async (t) => {
    const found = operation(method, path)
    t.equal(found['operationId'], id)
    const all = `${statuses} 400 406 422 429 500 503`.split(' ')
    t.strictSame(Object.keys(found['responses'] ?? {}), all.toSorted())
    const given = found['parameters'] ?? ([] as unknown as Json)
    const names = given.map(({ name, required }) => `${String(name)}${required ? '!' : ''}`)
    t.equal(names.join(' '), parameters)
    for (const { in: place, name } of given) {
      const isInPath = path.includes(`{${String(name)}}`)
      const elsewhere = /^[A-Z]/.test(String(name)) ? 'header' : 'query'
      t.equal(place, isInPath ? 'path' : elsewhere)
    }
  })
}

void t.test('an operation has a name of its own', async (t) => {
  const ids = [...JSON.stringify(document).matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id)
  t.equal(new Set(ids).size, ids.length)
})

void t.test('a parameter has its type, bounds, default value and words', async (t) => {
  const [limit, after, colors, sizes, sort] = operation('get', '/items')['parameters'] ?? []
  t.strictSame(limit?.['schema'], {
    type: 'integer',
    format: 'int32',
    minimum: 1,
    maximum: 100,
    default: 10,
  })
  t.equal(limit?.['description'], 'How many.', 'those of the argument')
  t.equal(after?.['description'], 'The last one seen.', 'those of the route')
  t.strictSame(colors?.['schema'], { type: 'array', items: { type: 'string' } })
  t.match(sizes?.['schema'], { type: 'array', minimum: undefined, items: { minimum: 0 } })
  t.match(sort, { deprecated: true, description: 'Deprecated: It is by age.' })
  const old = operation('get', '/old/{id}')['parameters']?.[0]
  t.strictSame(old?.['schema'], { type: 'string' }, 'a path is never without its text')
  const override = operation('post', '/item/{id}')['parameters']?.[2]
  t.strictSame(override?.['schema'], { type: 'string', enum: ['PATCH', 'DELETE'] })
})

void t.test('an operation has the words of its route, else those of its root field', async (t) => {
  t.match(operation('get', '/items'), { summary: 'Items, oldest first', tags: ['items'] })
  t.equal(operation('get', '/item/{id}')['description'], 'One item.')
  t.equal(operation('post', '/message')['description'], 'Sends a text.')
  t.equal(
    operation('post', '/item')['description'],
    'Makes an item.\n\nWith `id` in the body: Merges.',
  )
  t.match(operation('get', '/old/{id}'), { deprecated: true, description: /Use item\./ })
  t.notOk('deprecated' in operation('get', '/item/{id}'))
})

void t.test('security is what the function says of the route', async (t) => {
  t.strictSame(operation('get', '/items')['security'], [{}, { apiKey: [] }, { bearer: [] }])
  t.strictSame(operation('post', '/item')['security'], [{ apiKey: [] }, { bearer: [] }])
  t.strictSame(operation('get', '/health')['security'], [])
  t.notOk(
    'security' in (describe({ security: () => undefined })['paths']?.['/items']?.['get'] ?? {}),
  )
})

void t.test('a success has the headers of its route', async (t) => {
  const headers = (method: string, path: string, status: string) =>
    Object.keys(operation(method, path)['responses']?.[status]?.['headers'] ?? {})
  t.strictSame(headers('get', '/items', '200'), ['ETag', 'Link'])
  t.strictSame(headers('head', '/items', '200'), ['ETag', 'Link'])
  t.strictSame(headers('post', '/item', '201'), ['ETag', 'Location'])
  t.strictSame(headers('post', '/item', '200'), ['ETag'])
  t.strictSame(headers('delete', '/item/{id}', '200'), [])
})

void t.test('HEAD answers as GET does, without content', async (t) => {
  t.notMatch(JSON.stringify(operation('head', '/items')['responses']), /content|\$ref/)
})

// oxfmt-ignore
const bodyRows: [where: string, right: readonly unknown[], wrong: readonly unknown[]][] = [
  ['post /item',       [{ name: 'A' }, { id: '1' }, { id: '1', note: null }],          [{}, { id: '1', name: 'A', more: 1 }, { note: 'x' }, null]],
  ['put /thing',       [{ id: '1', name: 'A' }],                                       [{ name: 'A' }, { id: '1' }, { id: 1, name: 'A' }]],
  ['patch /item/{id}', [{}, { name: 'B' }, { id: '1', name: 'B' }],                    [{ name: 1 }, { more: 1 }]],
  ['post /item/{id}',  [{}, { name: 'B' }],                                            [{ name: 1 }]],
  ['post /message',    [{ to: '1', text: 'Hi' }, { to: '1', text: 'Hi', loud: true }], [{ to: '1' }, { to: '1', text: 'Hi', more: 1 }]],
  ['put /trees',       [{ any: 1 }, {}],                                               [5, null]],
  ['post /tree',       [{ name: 'Oak' }, { any: 1 }, {}],                              [{ name: 5 }, { name: 'Oak', more: 1 }, 5]],
]
for (const [where, right, wrong] of bodyRows) {
  void t.test(`the body of ${where}`, async (t) => {
    const [method = '', path = ''] = where.split(' ')
    const content = operation(method, path)['requestBody']?.['content']
    for (const [type, { schema }] of Object.entries(content ?? {})) {
      const isRight = validatorOf(schema)
      for (const value of right) t.ok(isRight(value), `${type} ${JSON.stringify(value)}`)
      for (const value of wrong) t.notOk(isRight(value), `${type} ${JSON.stringify(value)}`)
    }
  })
}

void t.test('a body has the media types of its routes, and a DELETE needs none', async (t) => {
  const both = ['application/json', 'application/merge-patch+json']
  t.strictSame(
    Object.keys(operation('patch', '/item/{id}')['requestBody']?.['content'] ?? {}),
    both,
  )
  t.equal(operation('patch', '/item/{id}')['requestBody']?.['required'], true)
  t.equal(operation('post', '/item/{id}')['requestBody']?.['required'], false)
  t.notOk('requestBody' in operation('delete', '/item/{id}'))
  t.ok(
    operation('post', '/item')['requestBody']?.['content']?.['application/json']?.['schema']?.[
      'oneOf'
    ],
  )
})

void t.test('a problem is RFC 9457 with the status of its response', async (t) => {
  const responses = document['components']?.['responses']
  const content = responses?.['NotFound']?.['content']?.['application/problem+json']
  const isRight = validatorOf(content?.['schema'])
  const problem = { type: 'urn:x:not-found', title: 'Not found', status: 404, code: 'NOT_FOUND' }
  const errors = [{ detail: 'Too long.', pointer: '#/name' }]
  t.ok(isRight(problem))
  t.ok(isRight({ ...problem, detail: 'Not found.', errors, id: 'x' }))
  t.notOk(isRight({ ...problem, status: 400 }), 'another status')
  t.notOk(isRight({ ...problem, code: undefined }), 'no code')
  t.notOk(isRight({ ...problem, errors: [{ pointer: '#/name' }] }), 'an error that says nothing')
  t.match(JSON.stringify(document['components']?.['schemas']?.['Problem']), options.problemBase)
  t.strictSame(Object.keys(responses?.['TooManyRequests']?.['headers'] ?? {}), ['Retry-After'])
  t.strictSame(Object.keys(responses?.['Unauthorized']?.['headers'] ?? {}), ['WWW-Authenticate'])
  t.strictSame(Object.keys(responses?.['MethodNotAllowed']?.['headers'] ?? {}), ['Allow'])
})

void t.test('a type of the schema may be called Problem', async (t) => {
  const schema = graphql.buildSchema('type Query { a(p: Problem): Int } input Problem { x: Int }')
  const { components } = describe({
    schema,
    routes: [{ method: 'GET', path: '/a', operation: '{ a }' }],
  })
  t.strictSame(Object.keys(components?.['schemas'] ?? {}), ['HttpProblem'])
})

const mistakes: [what: string, more: Partial<ApiDescriptionOptions<unknown>>, message: RegExp][] = [
  [
    'an operation that is a route already',
    { moreOperations: { '/items': { get: {} } } },
    /GET \/items is already a route/,
  ],
  [
    'a path with other names than that of a route',
    { moreOperations: { '/item/{key}': { trace: {} } } },
    /\/item\/\{id\} and \/item\/\{key\} are the same path/,
  ],
  [
    'an operation without a field of the schema',
    { routes: [{ method: 'GET', path: '/x', operation: '{ nothing }' }] },
    /GET \/x/,
  ],
]
for (const [what, more, message] of mistakes) {
  void t.test(`${what} is a TypeError`, async (t) => {
    t.throws(() => describe(more), { name: 'TypeError', message })
  })
}

function validatorOf(schema: unknown) {
  const ajv = new Ajv2020({ strict: false, formats: { int32: true, 'uri-reference': true } })
  return ajv.compile({ ...(schema as object), components: document['components'] })
}

/** The texts that are made of those of the schema and the routes. */
// oxfmt-ignore
const texts = [
  'Things.', 'Items, oldest first', 'How many.', 'The last one seen.', 'Deprecated: It is by age.', 'The next page, while there is one.',
  'One item', 'One item.',
  'PATCH, DELETE, for clients that can only POST', 'Merges', 'Merges.', 'Delete item', 'Makes an item', 'Makes an item.\n\nWith `id` in the body: Merges.',
  'PUT, PATCH, for clients that can only POST', 'Replace item', 'Sends a text', 'Sends a text.', 'PUT, for clients that can only POST', 'Plant', 'Health',
  'An echo.', 'Old item', 'Deprecated: Use item.', 'With `name` in the body: Name', 'A token.',
  'Identifies the kind of problem: https://items.example/problems/ and the code.',
]
/** Those of every description: what a reader needs of a status, a header or a member of a problem. */
// oxfmt-ignore
const usual = [
  'ETags of stored responses; the response is 304 if one of them is current.', 'The expected ETag; the response is 412 if the current one differs.',
  'Success.', 'Created.', 'Not found.', 'The request is malformed.', 'The request contains invalid values.', 'Too many requests.', 'An error (RFC 9457).',
  'Changes whenever the response does.', 'The ETag in If-None-Match is still current.', 'The credential is missing or invalid.',
  'The credential does not permit the request.', 'Accept admits none of the types served.', 'If-Match has another version.',
  'The server failed; the problem has an id that is also in its log.',
  'The server cannot process the request now: the code is UNAVAILABLE, OVERLOADED, or CANCELLED if it took too long.',
  'The intended method, for clients that can only send POST.', 'The URL of the resource.', 'The kind of problem in words.', 'The HTTP status.',
  'What is wrong with this request.', 'The code of the same error in GraphQL.', 'The place in the body, such as #/address/city',
  'The name of the parameter, in the path or the query.', 'An invalid value.', 'Identifies the failure in the logs.', 'How to authenticate.',
  'The method is not supported here.', 'The supported methods.', 'The request contradicts itself or the stored state.', 'The body is too large.',
  'The media type of the body is not supported here.', 'Number of seconds to wait.', 'Number of seconds to wait, if known.',
]
void t.test('the description explains itself', async (t) => {
  const found = new Set<string>()
  JSON.stringify(document, (name, value: unknown) => {
    if (['description', 'summary'].includes(name) && typeof value === 'string') found.add(value)
    return value
  })
  t.strictSame([...found].toSorted(), [...texts, ...usual].toSorted())
})

void t.test('a body of a custom scalar is any object', async (t) => {
  const content = operation('put', '/trees')['requestBody']?.['content']?.['application/json']
  t.strictSame(content?.['schema'], { $ref: '#/components/schemas/Tree', type: 'object' })
  const change = operation('patch', '/item/{id}')['requestBody']?.['content']?.['application/json']
  t.strictSame(Object.keys(change?.['schema'] ?? {}), [
    'type',
    'properties',
    'additionalProperties',
  ])
})

// oxfmt-ignore
const successes = [
  [200, 'Success.'],
  [201, 'Created.'],
  [202, 'Accepted, but not completed yet.'],
  [204, 'Done; the response has no body.'],
] as const
void t.test('a success is described by its status', async (t) => {
  for (const [status, text] of successes) {
    const send = 'mutation Send($to: ID!) { send(to: $to, text: "a") { id } }'
    const { paths } = describe({
      routes: [{ method: 'POST', path: '/message', status, operation: send }],
    })
    t.equal(paths?.['/message']?.['post']?.['responses']?.[status]?.['description'], text)
  }
})
