import t, { type Test } from 'tap'
import { createRestHandler } from '@graphwire/rest'
import { testClient, type TestRequest, type TestResponse } from 'graphwire/testing'
import { createPeople, routes } from './people.js'

type Row = readonly [name: string, request: TestRequest, status: number, expected?: Expected]

interface Expected {
  readonly json?: unknown
  /** Compared without type, title and status. */
  readonly problem?: object
  readonly headers?: { readonly [name: string]: string | null }
}

const get = (target: string, headers: TestRequest['headers'] = {}): TestRequest => ({
  target,
  headers,
})
const send = (
  method: string,
  target: string,
  json: unknown,
  headers: TestRequest['headers'] = {},
): TestRequest => ({ method, target, json, headers })
const put = (headers: TestRequest['headers'] = {}): TestRequest =>
  send('PUT', '/person/1', { name: 'x' }, headers)
const ann = { id: '1', name: 'Ann', age: 40, address: { city: 'Ulm' } }
const refusal = (code: string, detail: string, ...errors: object[]): object => ({
  code,
  detail,
  ...(errors.length > 0 && { errors }),
})
const invalid = (...errors: object[]): object =>
  refusal('BAD_USER_INPUT', 'The request contains invalid values.', ...errors)
const parameter = (name: string, detail: string): object => ({ detail, parameter: name })
const pointer = (place: string, detail: string): object => ({ detail, pointer: place })
/** A refusal of a row. */
const because = (code: string, detail: string): Expected => ({
  problem: refusal(code, detail),
})
const jsonType = { 'Content-Type': 'application/json' }
const patchType = { 'Content-Type': 'application/merge-patch+json' }
const override = (method: string) => ({ 'X-HTTP-Method-Override': method })
const range = (part: string) => ({ 'Content-Range': part })
const notSupported = 'is not supported here: omit it. The request had no effect.'
const noVersion = refusal('CONFLICT', 'The version is 3.')
const absent = refusal('NOT_FOUND', 'Not found.')

// oxfmt-ignore
const reads: Row[] = [
  ['GET answers with the root value less its version, which the ETag says', get('/person/1'), 200, {
    json: ann,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      etag: '"3"',
      'cache-control': 'no-cache',
      vary: 'Accept',
      'x-content-type-options': 'nosniff',
    },
  }],
  ['HEAD has the headers of GET', { ...get('/person/1'), method: 'HEAD' }, 200, { headers: { etag: '"3"' } }],
  ['a value without a version has a digest for a tag, and headers of its route', get('/people?limit=1'), 200, {
    json: [{ id: '1', name: 'Ann' }],
    headers: { etag: '"k4yDtc0IKMjSzTnAYF8CbG9Ta8ZE/H2AhvR2gMSf/IE="', link: '</people?limit=1#1-1>; rel="next"' },
  }],
  ['a text goes before a name in the path', get('/person/me'),            200, { json: { id: '2' } }],
  ['escapes of the path are undone',        get('/echo/a%2Fb%20%C3%A9+'), 200, { json: 'a/b é+' }],
  ['a broken escape is 400', get('/echo/%zz'), 400, because('INVALID_PATH', 'The path "/echo/%zz" has an invalid percent-escape.')],
  ['an escape of broken UTF-8 is 400',      get('/echo/%ff'),             400],
  ['what is not there is 404 in the words of the route', get('/person/9'), 404, {
    problem: refusal('NOT_FOUND', 'Nobody has this id.'),
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', etag: null },
  }],
  ['a path without a route is 404',          get('/nothing'),    404, because('NOT_FOUND', 'Nothing is served at "/nothing".')],
  ['an empty segment fills no name',         get('/person/'),    404],
  ['a path is not the beginning of another', get('/person/1/x'), 404],
  ['a method without a route is 405 with all that have one', send('POST', '/person/1', {}), 405, {
    problem: refusal('METHOD_NOT_ALLOWED', 'The method "POST" is not supported here: use GET, HEAD, PUT, PATCH, DELETE, OPTIONS.'),
    headers: { allow: 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS' },
  }],
  ['HEAD is 405 where GET is not', { method: 'HEAD', target: '/message' }, 405, { headers: { allow: 'POST, OPTIONS' } }],
  ['OPTIONS says the methods and the patches', { method: 'OPTIONS', target: '/person/1' }, 204, {
    headers: { allow: 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS', 'accept-patch': 'application/json, application/merge-patch+json' },
  }],
  ['OPTIONS of the server says all of them', { method: 'OPTIONS', target: '*' }, 204, { headers: { allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' } }],
  ...['GET', 'HEAD', 'DELETE'].map((method): Row => [
    `${method} of the server runs nothing`,
    { method, target: '*' },
    404,
    because('NOT_FOUND', 'Nothing is served at "*".'),
  ]),
  ['POST of the server is 404, and runs nothing', send('POST', '*', { to: '1', text: 'x' }), 404],
  ['OPTIONS of nothing is 404',                   { method: 'OPTIONS', target: '/x' },       404],
]

// oxfmt-ignore
const queries: [query: string, ...errors: object[]][] = [
  ['limit=abc',       parameter('limit', 'Must be an integer.')],
  ['limit=',          parameter('limit', 'Must be an integer.')],
  ['limit=1.5',       parameter('limit', 'Must be an integer.')],
  ['limit=-1',        parameter('limit', 'Must be from 1 to 100.')],
  ['limit=0',         parameter('limit', 'Must be from 1 to 100.')],
  ['limit=101',       parameter('limit', 'Must be from 1 to 100.')],
  ['limit=1&limit=2', parameter('limit', 'Must not be repeated.')],
  ['x=1',             parameter('x', 'Unknown parameter.')],
  ['__proto__=1',     parameter('__proto__', 'Unknown parameter.')],
  ['exact=yes',       parameter('exact', 'Must be true or false.')],
  ['least=.',         parameter('least', 'Must be a number.')],
  ['least=0.4',       parameter('least', 'Must be at least 0.5.')],
  ['tags=1&tags=10',  parameter('tags', 'Must be at most 9.')],
  ['tags=1&tags=x',   parameter('tags', 'Must be an integer.')],
  ['limit=0&x=1',     parameter('x', 'Unknown parameter.'), parameter('limit', 'Must be from 1 to 100.')],
]
const goodQueries = [
  'limit=1&after=9&sort=AGE&tags=1&tags=2&exact=true&least=1e2',
  'limit=100&exact=false',
  'tags=5',
  'after=',
]

// oxfmt-ignore
const writes: Row[] = [
  ['POST creates, and says where', send('POST', '/person', { name: 'Cy' }), 201, {
    json: { id: '3', name: 'Cy', age: null, address: null },
    headers: { location: '/person/3', etag: '"1"', 'cache-control': 'no-store' },
  }],
  ['POST to another route', send('POST', '/person', { id: '1', age: null }), 200, { json: { ...ann, age: null }, headers: { etag: '"4"', location: null } }],
  ['and is 404 where nothing is', send('POST', '/person', { id: '9' }), 404, { problem: absent }],
  ['all routes want a member', send('POST', '/only', {}), 422, because('BAD_USER_INPUT', 'The body must have one of these members: to.')],
  ['PUT replaces',          send('PUT', '/person/1', { name: 'Al' }), 200, { json: { id: '1', name: 'Al', age: null, address: null } }],
  ['PUT of nothing is 404', send('PUT', '/person/9', { name: 'Al' }), 404, { problem: absent }],
  ['PATCH takes a media type of its own', send('PATCH', '/person/1', { age: 41 }, patchType), 200, { json: { ...ann, age: 41 } }],
  ['DELETE answers with what was there', { method: 'DELETE', target: '/person/1', body: 'ignored' }, 200, { json: ann, headers: { etag: null } }],
  ['DELETE of nothing is 404', { method: 'DELETE', target: '/person/9' }, 404, { problem: absent }],
  [
    'members go to the variables of their names, and a location is escaped',
    send('POST', '/message', { to: '1', text: 'Hi' }),
    201,
    { json: { id: 'm/1', text: 'Hi' }, headers: { location: '/message/m%2F1' } },
  ],
  ['an id in the body like that of the path is fine',          send('PUT', '/person/1', { id: 1, name: 'Al' }), 200],
  ['a truth value in the body like that of the path is fine',  send('PUT', '/switched/true', { on: true }),     200],
  ['a number in the body like the text of the path is fine', send('PUT', '/counted/1.50', { count: '1.50', name: 'Al' }), 200],
  ['a number in the body like that of the path is fine', send('PUT', '/counted/1.50', { count: 1.5, name: 'Al' }), 200],
  ['a truth value in the body unlike that of the path is 409', send('PUT', '/switched/true', { on: false }),    409],
  ...['2', 2, null, {}, ['1']].map((id): Row => [
    `an id in the body unlike that of the path is 409: ${JSON.stringify(id)}`,
    send('PUT', '/person/1', { id, name: 'Al' }),
    409,
    because('CONFLICT', '"id" has different values in the path and in the body.'),
  ]),
]

// oxfmt-ignore
const bodies: [name: string, method: string, target: string, json: unknown, ...errors: object[]][] =
  [
    ['a lacking field',               'POST', '/person', {},             pointer('#/name', 'Required.')],
    ['a field that must not be null', 'POST', '/person', { name: null }, pointer('#/name', 'Must not be null.')],
    [
      'several wrong fields',
      'PUT',
      '/person/1',
      { name: 5, address: { city: {}, 'a/b~c é': 1 } },
      pointer('#/name', 'String cannot represent a non string value: 5'),
      pointer('#/address/city', 'String cannot represent a non string value: {}'),
      pointer('#/address/a~1b~0c%20%C3%A9', 'Unknown field.'),
    ],
    ['a field of another kind', 'PUT',  '/person/1', { name: 'x', address: 5 }, pointer('#/address', 'Must be an object.')],
    ['an unknown field',        'POST', '/person',   { name: 'x', agee: 1 },    pointer('#/agee', 'Unknown field.')],
    ["words of graphql's in a name", 'POST', '/person', { name: { ' not to include unknown field "x", found:': 1 } }, pointer(
      '#/name',
      'String cannot represent a non string value: {  not to include unknown field "x", found:: 1 }',
    )],
    ['a lacking member',      'POST', '/message', { to: '1' },             pointer('#/text', 'Required.')],
    ['a member that is null', 'POST', '/message', { to: '1', text: null }, pointer('#/text', 'Must not be null.')],
    [
      'unknown members',
      'POST',
      '/message',
      { to: '1', text: 'x', more: 1, 'ev"il': 2 },
      pointer('#/more', 'Unknown member.'),
      pointer('#/ev%22il', 'Unknown member.'),
    ],
    ['the variable of the version', 'PUT',  '/person/1',     { name: 'x', v: 1 },    pointer('#/v', 'Unknown field.')],
    ['a query beside a body',       'POST', '/message?to=2', { to: '1', text: 'x' }, parameter('to', 'Unknown parameter.')],
  ]

// oxfmt-ignore
const contents: Row[] = [
  ['a body that is no JSON', { target: '/person', body: '{', headers: jsonType }, 400,
    because('INVALID_JSON', 'The body is not valid JSON: error at character 1.')],
  ['a body that is no UTF-8', { target: '/person', body: Buffer.from([0xff]), headers: jsonType }, 400,
    because('INVALID_UTF_8', 'The body is not well-formed UTF-8.')],
  ...[[], null, 'text', 5].map((json): Row => [
    `a body that is no object: ${JSON.stringify(json)}`,
    send('POST', '/person', json),
    422,
    because('BAD_USER_INPUT', 'The body must be a JSON object.'),
  ]),
  ['a body that nests too deep is 400', { target: '/person', body: '['.repeat(200), headers: jsonType }, 400],
  ['a body of another type is 415 with those of POST', send('POST', '/person', {}, { 'Content-Type': 'text/plain' }), 415, {
    problem: refusal('UNSUPPORTED_MEDIA_TYPE', 'The Content-Type "text/plain" is not supported: send application/json.'),
    headers: { accept: 'application/json', 'accept-post': 'application/json' },
  }],
  ['a body of another type is 415 with those of PATCH', send('PATCH', '/person/1', {}, { 'Content-Type': 'text/plain' }), 415, {
    headers: { accept: 'application/json, application/merge-patch+json', 'accept-patch': 'application/json, application/merge-patch+json' },
  }],
  ['PUT does not take the type of a patch', send('PUT', '/person/1', {}, patchType), 415, { headers: { 'accept-patch': null } }],
  ['a body without a type is 415',     { target: '/person', body: '{}' },                                                   415],
  ['a body in another charset is 415', send('POST', '/person', {}, { 'Content-Type': 'application/json; charset=latin1' }), 415],
  ['a body in an unknown coding is 415', send('POST', '/person', {}, { 'Content-Encoding': 'br' }), 415, { headers: { 'accept-encoding': 'identity' } }],
  ['a body that says to be too long is 413', send('POST', '/person', {}, { 'Content-Length': '99999999' }), 413,
    because('BODY_TOO_LARGE', 'The body has 99999999 bytes, more than the limit of 1048576.')],
  ['a body that is too long is 413', send('POST', '/person', { name: 'x'.repeat(2 ** 20) }), 413],
  ['a client that reads no JSON is 406, and nothing is written', send('POST', '/person', { name: 'x' }, { Accept: 'text/html' }), 406,
    because('NOT_ACCEPTABLE', 'Accept admits none of the types served: application/json.')],
  ...[
    'application/problem+json',
    'application/json;q=0, */*',
    'text/html, application/json;version=2',
  ].map((accept): Row => [
    `Accept: ${accept} is 406, since no success can be read`,
    get('/people', { Accept: accept }),
    406,
  ]),
  ['too many headers are 431', get('/people', Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`x-${at}`, '1']))), 431],
  ['a Host that is none is 400',        get('/people', { Host: 'a b' }),                          400],
  ['an unknown transfer coding is 501', get('/people', { 'Transfer-Encoding': 'gzip, chunked' }), 501],
  ['a text in the path that is no number is 422', get('/numbered/abc'), 422, { problem: invalid(parameter('number', 'Must be an integer.')) }],
  ['a number in the path is one',       get('/numbered/2'),                                       200, { json: { id: '2' } }],
  ['a lacking parameter is 422',        get('/fails'),                                            422, { problem: invalid(parameter('how', 'Required.')) }],
]

type Ask = (headers: { readonly [name: string]: string }) => TestRequest
const read: Ask = (headers) => get('/person/1', headers)
const putNothing: Ask = (headers) => send('PUT', '/person/9', { name: 'x' }, headers)
const putMaybeNew: Ask = (headers) => send('PUT', '/maybe-new/9', { name: 'x' }, headers)
const create: Ask = (headers) => send('POST', '/person', { name: 'x' }, headers)
const digest = '"k4yDtc0IKMjSzTnAYF8CbG9Ta8ZE/H2AhvR2gMSf/IE="'
const precondition = (detail: string): Expected => because('INVALID_PRECONDITION', detail)
const noMatch = because('CONFLICT', 'The resource does not match the precondition.')
const noList = precondition('If-Match must be * or a list of entity tags.')
const notModified = {
  headers: { etag: '"3"', 'cache-control': 'no-cache', vary: 'Accept', 'content-type': null },
}

/** Requests with a precondition, each with one of the values. */
// oxfmt-ignore
const preconditions: readonly [field: string, ask: Ask, status: number, values: readonly string[], expected?: Expected][] = [
  ['If-None-Match', read,       304, ['"3"', 'W/"3"', '*', '"x", "3"', '"a,b" ,, W/"3"'], notModified],
  ['If-None-Match', read,       200, ['"4"', '3', '"33"', '', '"x" "3"']],
  ['If-Match',      read,       200, ['"3"', '*', '"x", "3"']],
  ['If-Match',      read,       412, ['"4"', 'W/"3"'], noMatch],
  ['If-Match',      read,       400, ['3', '"3', '', 'W/3', '"3" "4"', '*, "3"', 'w/"3"'], noList],
  ['If-Match',      put,        400, ['3', '"3', '', 'W/3', '"3" "4"', '*, "3"', 'w/"3"'], noList],
  ['If-Match',      put,        200, ['"3"', '*', '"1", "2", "3"', 'W/"1", "3"', '"abc", "3"'], { headers: { etag: '"4"' } }],
  ['If-Match',      put,        412, ['"2"', 'W/"3"', '"abc"', '"03"', '"3.0"', '"99999999999"', '"1", "2"'], { problem: noVersion }],
  ['If-Match',      put,        400, [Array(11).fill('"1"').join()], precondition('If-Match can have at most 10 entity tags.')],
  ['If-Match',      putNothing, 404, ['"3"', '*', 'W/"3"', '"abc"'], { problem: absent }],
  ['If-Match',      create,     400, ['*'], precondition(`If-Match ${notSupported}`)],
  ['If-None-Match', create,     400, ['*'], precondition(`If-None-Match ${notSupported}`)],
  ['If-None-Match', put,        412, ['*'], { problem: noVersion }],
  ['If-None-Match', put,        400, ['"3"'], precondition('For this method, If-None-Match can only be *.')],
  ['If-None-Match', putNothing, 404, ['*']],
  ['If-None-Match', putMaybeNew, 200, ['*'], { json: { version: 1 } }],
  ['If-Match',      putMaybeNew, 404, ['*', '"3"', 'W/"3"', '"abc"'], { problem: absent }],
]

// oxfmt-ignore
const conditions: Row[] = [
  ...preconditions.flatMap(([field, ask, status, values, expected = {}]) =>
    values.map((value): Row => {
      const request = ask({ [field]: value })
      return [`${request.method ?? 'GET'} ${request.target} with ${field}: ${value} is ${status}`, request, status, expected]
    }),
  ),
  ['HEAD with If-None-Match is 304', { ...read({ 'If-None-Match': '"3"' }), method: 'HEAD' }, 304],
  ['a digest matches too, and the headers of the route stay', get('/people?limit=1', { 'If-None-Match': digest }), 304, {
    headers: { link: '</people?limit=1#1-1>; rel="next"' },
  }],
  ['what is absent is 404 and not 304', get('/person/9', { 'If-None-Match': '*' }), 404],
  ...[
    send('PATCH', '/person/1', {}),
    send('POST', '/person', { id: '1' }),
    { method: 'DELETE', target: '/person/1' },
  ].flatMap((request): Row[] => [
    [`${request.method} with another version is 412`, { ...request, headers: { 'If-Match': '"2"' } }, 412, { problem: noVersion }],
    [`${request.method} with the version is 200`,     { ...request, headers: { 'If-Match': '"3"' } }, 200],
  ]),
  ['a PUT that creates does so without a condition', putMaybeNew({}), 200, { json: { version: 1 } }],
  ['If-Match and If-None-Match: * together create nothing', putMaybeNew({ 'If-None-Match': '*', 'If-Match': '"3"' }), 404],
  ['If-None-Match: * is 412, also beside an If-Match that matches', put({ 'If-None-Match': '*', 'If-Match': '"3"' }), 412],
]

const noPart = refusal(
  'UNSUPPORTED_CONTENT_RANGE',
  'Partial PUT is not supported: send the whole resource without Content-Range.',
)

// oxfmt-ignore
const ranges: Row[] = [
  ...['bytes 0-4/100', 'bytes 0-11/12', 'x', ''].map((part): Row => [
    `PUT with the Content-Range ${JSON.stringify(part)} is 400`,
    put({ 'Content-Range': part }),
    400,
    { problem: noPart },
  ]),
  ['also by an override', send('POST', '/person/1', { name: 'x' }, { ...override('PUT'), ...range('bytes 0-4/100') }), 400, { problem: noPart }],
  ['before its body is looked at', send('PUT', '/person/1', {}, { 'Content-Range': 'bytes 0-4/100', 'Content-Type': 'text/plain' }), 400, { problem: noPart }],
  ['Content-Range means nothing on another method', send('PATCH', '/person/1', { name: 'x' }, { 'Content-Range': 'bytes 0-4/100' }), 200],
]

// oxfmt-ignore
const overrides: Row[] = [
  ['an override is the method of a POST', send('POST', '/person/1', { name: 'x' }, override('PUT')), 200, { headers: { etag: '"4"' } }],
  ['an override to PATCH takes its types', send('POST', '/person/1', {}, { ...override('PATCH'), ...patchType }), 200],
  ['an override to DELETE', send('POST', '/person/1', {}, override('DELETE')), 200, { headers: { etag: null } }],
  ...['put', 'GET', 'POST', '', 'PUT, PATCH', 'X'].map((method): Row => [
    `an override to ${JSON.stringify(method)} is 400`,
    send('POST', '/person/1', {}, override(method)),
    400,
    because('INVALID_METHOD_OVERRIDE', `X-HTTP-Method-Override must be PUT, PATCH or DELETE, not ${JSON.stringify(method)}.`),
  ]),
  ['an override to what has no route is 405',  send('POST', '/message', {}, override('PUT')), 405, { headers: { allow: 'POST, OPTIONS' } }],
  ['an override on another method is ignored', get('/person/1', override('DELETE')),          200, { json: ann }],
]

// oxfmt-ignore
const failures: [how: string, status: number, problem: object, headers?: Expected['headers']][] = [
  ['unauthenticated', 401, refusal('UNAUTHENTICATED', 'Who are you?'),      { 'www-authenticate': 'Key' }],
  ['forbidden',       403, refusal('FORBIDDEN', 'Not you.')],
  ['limited',         429, refusal('RATE_LIMITED', 'Slowly.'),              { 'retry-after': '8' }],
  ['away',            503, refusal('UNAVAILABLE', 'The database is away.'), { 'retry-after': '3' }],
  ['away2',           503, refusal('UNAVAILABLE', 'The database is away.'), { 'retry-after': '1' }],
  ['conflict',        409, refusal('CONFLICT', 'It is taken.')],
  ['own',             418, refusal('TEAPOT', 'Short and stout.')],
  ['bug',             500, { code: 'INTERNAL_SERVER_ERROR', detail: 'Internal server error', id: 'id-1' }],
  ['uncoded',         500, { code: 'INTERNAL_SERVER_ERROR', detail: 'Internal server error', id: 'id-1' }],
  ['how',             422, refusal('BAD_USER_INPUT', 'Wrong.', parameter('how', 'Not so.'))],
]

// oxfmt-ignore
const rows: Row[] = [
  ...reads,
  ...queries.map(([query, ...errors]): Row => [`the query ${query} is 422`, get(`/people?${query}`), 422, { problem: invalid(...errors) }]),
  ...goodQueries.map((query): Row => [`the query ${query} is 200`, get(`/people?${query}`), 200]),
  ...writes,
  ...bodies.map(([name, method, target, json, ...errors]): Row => [
    `${name} of a body is 422`,
    send(method, target, json),
    422,
    { problem: invalid(...errors) },
  ]),
  ...contents,
  ...conditions,
  ...ranges,
  ...overrides,
  ...failures.map(([how, status, problem, headers]): Row => [
    `a resolver's error is ${status}: ${how}`,
    get(`/fails?how=${how}`),
    status,
    { problem, ...(headers && { headers }) },
  ]),
  ['a pointer leads to the member that a resolver finds wrong', send('POST', '/message', { to: '9', text: 'x' }), 404, {
    problem: refusal('NOT_FOUND', 'There is nobody to send it to.', pointer('#/to', 'Nobody has this id.')),
  }],
  ['a pointer leads to the field of the whole body that a resolver finds wrong', send('POST', '/person', { name: 'bad' }), 422, {
    problem: refusal('BAD_USER_INPUT', 'Some values are wrong.', pointer('#/name', 'Not this name.')),
  }],
  ['an answer that is too long is 500', get('/long'), 500],
]

function check(t: Test, [, request, status, expected = {}]: Row, response: TestResponse): void {
  t.equal(response.status, status, response.body)
  for (const [name, value] of Object.entries(expected.headers ?? {})) {
    t.equal(response.headers.get(name), value, name)
  }
  const bodiless = status === 204 || status === 304 || request.method === 'HEAD'
  if (bodiless) return void t.equal(response.body, '')
  if (expected.json !== undefined) t.strictSame(response.json(), expected.json)
  if (status < 400) return
  const { type, title, ...problem } = response.json() as { [name: string]: unknown }
  const code = String(problem['code'])
  t.equal(type, `urn:graphwire:problem:${code.toLowerCase().replaceAll('_', '-')}`)
  t.match(title, /^[A-Z]/)
  t.equal(problem['status'], status)
  t.equal(typeof problem['detail'], 'string')
  if (expected.problem) t.strictSame(problem, { status, ...expected.problem })
}

for (const row of rows) {
  const [name, request] = row
  void t.test(name, async (t) => {
    const { schema } = createPeople()
    let ids = 0
    const handler = createRestHandler({
      schema,
      routes,
      methodOverride: true,
      challenge: 'Key',
      statusOfCode: { TEAPOT: 418 },
      maxResponseBytes: 1000,
      onBug: () => undefined,
      createId: () => `id-${++ids}`,
    })
    check(t, row, await testClient(handler)(request))
  })
}
