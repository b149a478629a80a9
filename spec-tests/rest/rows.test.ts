import t, { type Test } from 'tap'
import { createRestHandler } from '../../src/index.js'
import { testClient, type TestRequest, type TestResponse } from '../../src/hosts/testing.js'
import { createPeople, routes } from './people.js'

/** A request and what its answer must be; `problem` is compared without type, title and status. */
interface Row {
  readonly name: string
  readonly request: TestRequest
  readonly status: number
  readonly json?: unknown
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
const ann = { id: '1', name: 'Ann', age: 40, address: { city: 'Ulm' } }
const invalid = (...errors: object[]): object => ({
  code: 'BAD_USER_INPUT',
  detail: 'The request contains invalid values.',
  errors,
})
const parameter = (name: string, detail: string): object => ({ detail, parameter: name })
const pointer = (place: string, detail: string): object => ({ detail, pointer: place })
const cannotHonour = (field: string): object => ({
  code: 'INVALID_PRECONDITION',
  detail: `${field} is not supported here: omit it. The request had no effect.`,
})
const noVersion = { code: 'CONFLICT', detail: 'The version is 3.' }
const absent = { code: 'NOT_FOUND', detail: 'Not found.' }

const reads: Row[] = [
  {
    name: 'GET answers with the root value less its version, which the ETag says',
    request: get('/person/1'),
    status: 200,
    json: ann,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      etag: '"3"',
      'cache-control': 'no-cache',
      vary: 'Accept',
      'x-content-type-options': 'nosniff',
    },
  },
  {
    name: 'HEAD has the headers of GET',
    request: { ...get('/person/1'), method: 'HEAD' },
    status: 200,
    headers: { etag: '"3"' },
  },
  {
    name: 'a value without a version has a digest for a tag, and headers of its route',
    request: get('/people?limit=1'),
    status: 200,
    json: [{ id: '1', name: 'Ann' }],
    headers: {
      etag: '"k4yDtc0IKMjSzTnAYF8CbG9Ta8ZE/H2AhvR2gMSf/IE="',
      link: '</people?limit=1#1-1>; rel="next"',
    },
  },
  { name: 'a default of the operation holds', request: get('/people'), status: 200 },
  {
    name: 'a target in absolute form is understood',
    request: get('http://example.com/people?limit=1'),
    status: 200,
    headers: { link: '</people?limit=1#1-1>; rel="next"' },
  },
  {
    name: 'a text goes before a name in the path',
    request: get('/person/me'),
    status: 200,
    json: { id: '2' },
  },
  {
    name: 'escapes of the path are undone',
    request: get('/echo/a%2Fb%20%C3%A9+'),
    status: 200,
    json: 'a/b é+',
  },
  { name: 'escapes in the place of a text too', request: get('/%70eople'), status: 200 },
  {
    name: 'a broken escape is 400',
    request: get('/echo/%zz'),
    status: 400,
    problem: {
      code: 'INVALID_PATH',
      detail: 'The path "/echo/%zz" has an invalid percent-escape.',
    },
  },
  { name: 'an escape of broken UTF-8 is 400', request: get('/echo/%ff'), status: 400 },
  {
    name: 'what is not there is 404 in the words of the route',
    request: get('/person/9'),
    status: 404,
    problem: { code: 'NOT_FOUND', detail: 'Nobody has this id.' },
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      etag: null,
    },
  },
  {
    name: 'a path without a route is 404',
    request: get('/nothing'),
    status: 404,
    problem: { code: 'NOT_FOUND', detail: 'Nothing is served at "/nothing".' },
  },
  { name: 'an empty segment fills no name', request: get('/person/'), status: 404 },
  { name: 'a path is not the beginning of another', request: get('/person/1/x'), status: 404 },
  {
    name: 'a method without a route is 405 with all that have one',
    request: send('POST', '/person/1', {}),
    status: 405,
    problem: {
      code: 'METHOD_NOT_ALLOWED',
      detail:
        'The method "POST" is not supported here: use GET, HEAD, PUT, PATCH, DELETE, OPTIONS.',
    },
    headers: { allow: 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS' },
  },
  {
    name: 'HEAD is 405 where GET is not',
    request: { method: 'HEAD', target: '/message' },
    status: 405,
    headers: { allow: 'POST, OPTIONS' },
  },
  {
    name: 'OPTIONS says the methods and the patches',
    request: { method: 'OPTIONS', target: '/person/1' },
    status: 204,
    headers: {
      allow: 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS',
      'accept-patch': 'application/json, application/merge-patch+json',
    },
  },
  {
    name: 'OPTIONS of the server says all of them',
    request: { method: 'OPTIONS', target: '*' },
    status: 204,
    headers: { allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' },
  },
  ...['GET', 'HEAD', 'DELETE'].map((method) => ({
    name: `${method} of the server is 404, and runs nothing`,
    request: { method, target: '*' },
    status: 404,
    problem: { code: 'NOT_FOUND', detail: 'Nothing is served at "*".' },
  })),
  {
    name: 'POST of the server is 404, and runs nothing',
    request: send('POST', '*', { to: '1', text: 'x' }),
    status: 404,
  },
  { name: 'OPTIONS of nothing is 404', request: { method: 'OPTIONS', target: '/x' }, status: 404 },
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

const writes: Row[] = [
  {
    name: 'POST creates, and says where',
    request: send('POST', '/person', { name: 'Cy' }),
    status: 201,
    json: { id: '3', name: 'Cy', age: null, address: null },
    headers: { location: '/person/3', etag: '"1"', 'cache-control': 'no-store' },
  },
  {
    name: 'POST with the member of another route is for that one',
    request: send('POST', '/person', { id: '1', age: null }),
    status: 200,
    json: { ...ann, age: null },
    headers: { etag: '"4"', location: null },
  },
  {
    name: 'and is 404 where nothing is',
    request: send('POST', '/person', { id: '9' }),
    status: 404,
    problem: absent,
  },
  {
    name: 'routes that all want a member refuse a body without it',
    request: send('POST', '/only', {}),
    status: 422,
    problem: { code: 'BAD_USER_INPUT', detail: 'The body must have one of these members: to.' },
  },
  {
    name: 'PUT replaces',
    request: send('PUT', '/person/1', { name: 'Al' }),
    status: 200,
    json: { id: '1', name: 'Al', age: null, address: null },
  },
  {
    name: 'PUT of nothing is 404',
    request: send('PUT', '/person/9', { name: 'Al' }),
    status: 404,
    problem: absent,
  },
  {
    name: 'PATCH takes a media type of its own',
    request: send(
      'PATCH',
      '/person/1',
      { age: 41 },
      { 'Content-Type': 'application/merge-patch+json' },
    ),
    status: 200,
    json: { ...ann, age: 41 },
  },
  {
    name: 'DELETE answers with what was there, and without a tag',
    request: { method: 'DELETE', target: '/person/1', body: 'ignored' },
    status: 200,
    json: ann,
    headers: { etag: null },
  },
  {
    name: 'DELETE of nothing is 404',
    request: { method: 'DELETE', target: '/person/9' },
    status: 404,
    problem: absent,
  },
  {
    name: 'members go to the variables of their names, and a location is escaped',
    request: send('POST', '/message', { to: '1', text: 'Hi' }),
    status: 201,
    json: { id: 'm/1', text: 'Hi' },
    headers: { location: '/message/m%2F1' },
  },
  {
    name: 'an id in the body like that of the path is fine',
    request: send('PUT', '/person/1', { id: 1, name: 'Al' }),
    status: 200,
  },
  {
    name: 'a truth value in the body like that of the path is fine',
    request: send('PUT', '/switched/true', { on: true }),
    status: 200,
  },
  {
    name: 'a truth value in the body unlike that of the path is 409',
    request: send('PUT', '/switched/true', { on: false }),
    status: 409,
  },
  ...['2', 2, null, {}, ['1']].map((id) => ({
    name: `an id in the body unlike that of the path is 409: ${JSON.stringify(id)}`,
    request: send('PUT', '/person/1', { id, name: 'Al' }),
    status: 409,
    problem: { code: 'CONFLICT', detail: '"id" has different values in the path and in the body.' },
  })),
]

const bodies: [name: string, method: string, target: string, json: unknown, ...errors: object[]][] =
  [
    ['a lacking field', 'POST', '/person', {}, pointer('#/name', 'Required.')],
    [
      'a field that must not be null',
      'POST',
      '/person',
      { name: null },
      pointer('#/name', 'Must not be null.'),
    ],
    [
      'several wrong fields',
      'PUT',
      '/person/1',
      { name: 5, address: { city: {}, 'a/b~c é': 1 } },
      pointer('#/name', 'String cannot represent a non string value: 5'),
      pointer('#/address/city', 'String cannot represent a non string value: {}'),
      pointer('#/address/a~1b~0c%20%C3%A9', 'Unknown field.'),
    ],
    [
      'a field of another kind',
      'PUT',
      '/person/1',
      { name: 'x', address: 5 },
      pointer('#/address', 'Must be an object.'),
    ],
    [
      'an unknown field',
      'POST',
      '/person',
      { name: 'x', agee: 1 },
      pointer('#/agee', 'Unknown field.'),
    ],
    [
      "words of graphql's in a name",
      'POST',
      '/person',
      { name: { ' not to include unknown field "x", found:': 1 } },
      pointer(
        '#/name',
        'String cannot represent a non string value: {  not to include unknown field "x", found:: 1 }',
      ),
    ],
    ['a lacking member', 'POST', '/message', { to: '1' }, pointer('#/text', 'Required.')],
    [
      'a member that is null',
      'POST',
      '/message',
      { to: '1', text: null },
      pointer('#/text', 'Must not be null.'),
    ],
    [
      'unknown members',
      'POST',
      '/message',
      { to: '1', text: 'x', more: 1, 'ev"il': 2 },
      pointer('#/more', 'Unknown member.'),
      pointer('#/ev%22il', 'Unknown member.'),
    ],
    [
      'the variable of the version',
      'PUT',
      '/person/1',
      { name: 'x', v: 1 },
      pointer('#/v', 'Unknown field.'),
    ],
    [
      'a query beside a body',
      'POST',
      '/message?to=2',
      { to: '1', text: 'x' },
      parameter('to', 'Unknown parameter.'),
    ],
  ]

const contents: Row[] = [
  {
    name: 'a body that is no JSON is 400',
    request: { target: '/person', body: '{', headers: { 'Content-Type': 'application/json' } },
    status: 400,
    problem: { code: 'INVALID_JSON', detail: 'The body is not valid JSON: error at character 1.' },
  },
  {
    name: 'a body that is no UTF-8 is 400',
    request: {
      target: '/person',
      body: new Uint8Array([0x22, 0xff, 0x22]),
      headers: { 'Content-Type': 'application/json' },
    },
    status: 400,
    problem: { code: 'INVALID_UTF_8', detail: 'The body is not well-formed UTF-8.' },
  },
  ...[[], null, 'text', 5].map((json) => ({
    name: `a body that is no object is 422: ${JSON.stringify(json)}`,
    request: send('POST', '/person', json),
    status: 422,
    problem: { code: 'BAD_USER_INPUT', detail: 'The body must be a JSON object.' },
  })),
  {
    name: 'a body that nests too deep is 400',
    request: {
      target: '/person',
      body: '['.repeat(200),
      headers: { 'Content-Type': 'application/json' },
    },
    status: 400,
  },
  {
    name: 'a body of another type is 415 with those of POST',
    request: send('POST', '/person', {}, { 'Content-Type': 'text/plain' }),
    status: 415,
    problem: {
      code: 'UNSUPPORTED_MEDIA_TYPE',
      detail: 'The Content-Type "text/plain" is not supported: send application/json.',
    },
    headers: { accept: 'application/json', 'accept-post': 'application/json' },
  },
  {
    name: 'a body of another type is 415 with those of PATCH',
    request: send('PATCH', '/person/1', {}, { 'Content-Type': 'text/plain' }),
    status: 415,
    headers: {
      accept: 'application/json, application/merge-patch+json',
      'accept-patch': 'application/json, application/merge-patch+json',
    },
  },
  {
    name: 'the type of a patch is none of PUT',
    request: send('PUT', '/person/1', {}, { 'Content-Type': 'application/merge-patch+json' }),
    status: 415,
    headers: { 'accept-patch': null },
  },
  { name: 'a body without a type is 415', request: { target: '/person', body: '{}' }, status: 415 },
  {
    name: 'a body in another charset is 415',
    request: send('POST', '/person', {}, { 'Content-Type': 'application/json; charset=latin1' }),
    status: 415,
  },
  {
    name: 'a body in an unknown coding is 415',
    request: send('POST', '/person', {}, { 'Content-Encoding': 'br' }),
    status: 415,
    headers: { 'accept-encoding': 'identity' },
  },
  {
    name: 'a body that says to be too long is 413',
    request: send('POST', '/person', {}, { 'Content-Length': '99999999' }),
    status: 413,
    problem: {
      code: 'BODY_TOO_LARGE',
      detail: 'The body has 99999999 bytes, more than the limit of 1048576.',
    },
  },
  {
    name: 'a body that is too long is 413',
    request: send('POST', '/person', { name: 'x'.repeat(2 ** 20) }),
    status: 413,
  },
  {
    name: 'a client that reads no JSON is 406, and nothing is written',
    request: send('POST', '/person', { name: 'x' }, { Accept: 'text/html' }),
    status: 406,
    problem: {
      code: 'NOT_ACCEPTABLE',
      detail: 'Accept admits none of the types served: application/json.',
    },
  },
  {
    name: 'a refused type is 406',
    request: get('/people', { Accept: 'application/json;q=0' }),
    status: 406,
  },
  {
    name: 'JSON in UTF-8 is fine',
    request: get('/people', { Accept: 'application/json; charset=utf-8' }),
    status: 200,
  },
  {
    name: 'any type is fine',
    request: get('/people', { Accept: 'text/html, */*;q=0.1' }),
    status: 200,
  },
  ...[
    'application/problem+json',
    'application/json;q=0, */*',
    'text/html, application/json;version=2',
  ].map((accept) => ({
    name: `Accept: ${accept} is 406, since no success can be read`,
    request: get('/people', { Accept: accept }),
    status: 406,
  })),
  { name: 'a URL that is too long is 414', request: get(`/echo/${'x'.repeat(9000)}`), status: 414 },
  {
    name: 'too many headers are 431',
    request: get(
      '/people',
      Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`x-${at}`, '1'])),
    ),
    status: 431,
  },
  { name: 'a Host that is none is 400', request: get('/people', { Host: 'a b' }), status: 400 },
  {
    name: 'an unknown transfer coding is 501',
    request: get('/people', { 'Transfer-Encoding': 'gzip, chunked' }),
    status: 501,
  },
  {
    name: 'a text in the path that is no number is 422',
    request: get('/numbered/abc'),
    status: 422,
    problem: invalid(parameter('number', 'Must be an integer.')),
  },
  {
    name: 'a number in the path is one',
    request: get('/numbered/2'),
    status: 200,
    json: { id: '2' },
  },
  {
    name: 'a lacking parameter is 422',
    request: get('/fails'),
    status: 422,
    problem: invalid(parameter('how', 'Required.')),
  },
]

const conditions: Row[] = [
  ...['"3"', 'W/"3"', '*', '"x", "3"', '"a,b" ,, W/"3"'].map((tags) => ({
    name: `GET with If-None-Match: ${tags} is 304`,
    request: get('/person/1', { 'If-None-Match': tags }),
    status: 304,
    headers: { etag: '"3"', 'cache-control': 'no-cache', vary: 'Accept', 'content-type': null },
  })),
  ...['"4"', '3', '"33"', '', '"x" "3"'].map((tags) => ({
    name: `GET with If-None-Match: ${tags} is 200`,
    request: get('/person/1', { 'If-None-Match': tags }),
    status: 200,
  })),
  {
    name: 'HEAD with If-None-Match is 304',
    request: { ...get('/person/1', { 'If-None-Match': '"3"' }), method: 'HEAD' },
    status: 304,
  },
  {
    name: 'a digest matches too, and the headers of the route stay',
    request: get('/people?limit=1', {
      'If-None-Match': '"k4yDtc0IKMjSzTnAYF8CbG9Ta8ZE/H2AhvR2gMSf/IE="',
    }),
    status: 304,
    headers: { link: '</people?limit=1#1-1>; rel="next"' },
  },
  {
    name: 'what is absent is 404 and not 304',
    request: get('/person/9', { 'If-None-Match': '*' }),
    status: 404,
  },
  ...['"3"', '*', '"x", "3"'].map((tags) => ({
    name: `GET with If-Match: ${tags} is 200`,
    request: get('/person/1', { 'If-Match': tags }),
    status: 200,
  })),
  ...['"4"', 'W/"3"'].map((tags) => ({
    name: `GET with If-Match: ${tags} is 412`,
    request: get('/person/1', { 'If-Match': tags }),
    status: 412,
    problem: {
      code: 'CONFLICT',
      detail: 'The resource does not match the precondition.',
    },
  })),
  ...['3', '"3', '', 'W/3', '"3" "4"', '*, "3"', 'w/"3"'].flatMap((tags) =>
    [
      get('/person/1', { 'If-Match': tags }),
      send('PUT', '/person/1', { name: 'x' }, { 'If-Match': tags }),
    ].map((request) => ({
      name: `${request.method ?? 'GET'} with If-Match: ${tags} is 400`,
      request,
      status: 400,
      problem: {
        code: 'INVALID_PRECONDITION',
        detail: 'If-Match must be * or a list of entity tags.',
      },
    })),
  ),
  ...['"3"', '*', '"1", "2", "3"', 'W/"1", "3"', '"abc", "3"'].map((tags) => ({
    name: `PUT with If-Match: ${tags} is 200`,
    request: send('PUT', '/person/1', { name: 'x' }, { 'If-Match': tags }),
    status: 200,
    headers: { etag: '"4"' },
  })),
  ...['"2"', 'W/"3"', '"abc"', '"03"', '"3.0"', '"99999999999"', '"1", "2"'].map((tags) => ({
    name: `PUT with If-Match: ${tags} is 412`,
    request: send('PUT', '/person/1', { name: 'x' }, { 'If-Match': tags }),
    status: 412,
    problem: noVersion,
  })),
  ...['"3"', '*', 'W/"3"', '"abc"'].map((tags) => ({
    name: `PUT of nothing with If-Match: ${tags} is 404`,
    request: send('PUT', '/person/9', { name: 'x' }, { 'If-Match': tags }),
    status: 404,
    problem: absent,
  })),
  ...[
    send('PATCH', '/person/1', {}),
    send('POST', '/person', { id: '1' }),
    { method: 'DELETE', target: '/person/1' },
  ].flatMap((request) => [
    {
      name: `${request.method} with another version is 412`,
      request: { ...request, headers: { 'If-Match': '"2"' } },
      status: 412,
      problem: noVersion,
    },
    {
      name: `${request.method} with the version is 200`,
      request: { ...request, headers: { 'If-Match': '"3"' } },
      status: 200,
    },
  ]),
  {
    name: 'more tags than are tried are 400',
    request: send('PUT', '/person/1', { name: 'x' }, { 'If-Match': Array(11).fill('"1"').join() }),
    status: 400,
    problem: { code: 'INVALID_PRECONDITION', detail: 'If-Match can have at most 10 entity tags.' },
  },
  ...['If-Match', 'If-None-Match'].map((field) => ({
    name: `${field} on a write without versions is 400`,
    request: send('POST', '/person', { name: 'x' }, { [field]: '*' }),
    status: 400,
    problem: cannotHonour(field),
  })),
  {
    name: 'If-None-Match: * on a write of what exists is 412',
    request: send('PUT', '/person/1', { name: 'x' }, { 'If-None-Match': '*' }),
    status: 412,
    problem: noVersion,
  },
  {
    name: 'also beside an If-Match that matches',
    request: send('PUT', '/person/1', { name: 'x' }, { 'If-None-Match': '*', 'If-Match': '"3"' }),
    status: 412,
  },
  {
    name: 'If-None-Match: * on a write of nothing is 404',
    request: send('PUT', '/person/9', { name: 'x' }, { 'If-None-Match': '*' }),
    status: 404,
  },
  {
    name: 'If-None-Match with tags on a write is 400',
    request: send('PUT', '/person/1', { name: 'x' }, { 'If-None-Match': '"3"' }),
    status: 400,
    problem: {
      code: 'INVALID_PRECONDITION',
      detail: 'For this method, If-None-Match can only be *.',
    },
  },
]

const noPart = {
  code: 'UNSUPPORTED_CONTENT_RANGE',
  detail: 'Partial PUT is not supported: send the whole resource without Content-Range.',
}

const ranges: Row[] = [
  ...['bytes 0-4/100', 'bytes 0-11/12', 'x', ''].map((range) => ({
    name: `PUT with the Content-Range ${JSON.stringify(range)} is 400`,
    request: send('PUT', '/person/1', { name: 'x' }, { 'Content-Range': range }),
    status: 400,
    problem: noPart,
  })),
  {
    name: 'also by an override',
    request: send(
      'POST',
      '/person/1',
      { name: 'x' },
      { 'X-HTTP-Method-Override': 'PUT', 'Content-Range': 'bytes 0-4/100' },
    ),
    status: 400,
    problem: noPart,
  },
  {
    name: 'before its body is looked at',
    request: send(
      'PUT',
      '/person/1',
      {},
      { 'Content-Range': 'bytes 0-4/100', 'Content-Type': 'text/plain' },
    ),
    status: 400,
    problem: noPart,
  },
  {
    name: 'Content-Range means nothing on another method',
    request: send('PATCH', '/person/1', { name: 'x' }, { 'Content-Range': 'bytes 0-4/100' }),
    status: 200,
  },
]

const overrides: Row[] = [
  {
    name: 'an override is the method of a POST',
    request: send('POST', '/person/1', { name: 'x' }, { 'X-HTTP-Method-Override': 'PUT' }),
    status: 200,
    headers: { etag: '"4"' },
  },
  {
    name: 'an override to PATCH takes its types',
    request: send(
      'POST',
      '/person/1',
      {},
      {
        'X-HTTP-Method-Override': 'PATCH',
        'Content-Type': 'application/merge-patch+json',
      },
    ),
    status: 200,
  },
  {
    name: 'an override to DELETE',
    request: send('POST', '/person/1', {}, { 'X-HTTP-Method-Override': 'DELETE' }),
    status: 200,
    headers: { etag: null },
  },
  ...['put', 'GET', 'POST', '', 'PUT, PATCH', 'X'].map((method) => ({
    name: `an override to ${JSON.stringify(method)} is 400`,
    request: send('POST', '/person/1', {}, { 'X-HTTP-Method-Override': method }),
    status: 400,
    problem: {
      code: 'INVALID_METHOD_OVERRIDE',
      detail: `X-HTTP-Method-Override must be PUT, PATCH or DELETE, not ${JSON.stringify(method)}.`,
    },
  })),
  {
    name: 'an override to what has no route is 405',
    request: send('POST', '/message', {}, { 'X-HTTP-Method-Override': 'PUT' }),
    status: 405,
    headers: { allow: 'POST, OPTIONS' },
  },
  {
    name: 'an override on another method is ignored',
    request: get('/person/1', { 'X-HTTP-Method-Override': 'DELETE' }),
    status: 200,
    json: ann,
  },
]

// oxfmt-ignore
const failures: [how: string, status: number, problem: object, headers?: Row['headers']][] = [
  ['unauthenticated', 401, { code: 'UNAUTHENTICATED', detail: 'Who are you?' },      { 'www-authenticate': 'Key' }],
  ['forbidden',       403, { code: 'FORBIDDEN', detail: 'Not you.' }],
  ['limited',         429, { code: 'RATE_LIMITED', detail: 'Slowly.' },              { 'retry-after': '8' }],
  ['away',            503, { code: 'UNAVAILABLE', detail: 'The database is away.' }, { 'retry-after': '3' }],
  ['away2',           503, { code: 'UNAVAILABLE', detail: 'The database is away.' }, { 'retry-after': '1' }],
  ['conflict',        409, { code: 'CONFLICT', detail: 'It is taken.' }],
  ['own',             418, { code: 'TEAPOT', detail: 'Short and stout.' }],
  ['bug',             500, { code: 'INTERNAL_SERVER_ERROR', detail: 'Internal server error', id: 'id-1' }],
  ['uncoded',         500, { code: 'INTERNAL_SERVER_ERROR', detail: 'Internal server error', id: 'id-1' }],
  ['how',             422, { code: 'BAD_USER_INPUT', detail: 'Wrong.', errors: [parameter('how', 'Not so.')] }],
]

const rows: Row[] = [
  ...reads,
  ...queries.map(([query, ...errors]) => ({
    name: `the query ${query} is 422`,
    request: get(`/people?${query}`),
    status: 422,
    problem: invalid(...errors),
  })),
  ...goodQueries.map((query) => ({
    name: `the query ${query} is 200`,
    request: get(`/people?${query}`),
    status: 200,
  })),
  ...writes,
  ...bodies.map(([name, method, target, json, ...errors]) => ({
    name: `${name} of a body is 422`,
    request: send(method, target, json),
    status: 422,
    problem: invalid(...errors),
  })),
  ...contents,
  ...conditions,
  ...ranges,
  ...overrides,
  ...failures.map(([how, status, problem, headers]) => ({
    name: `a resolver's error is ${status}: ${how}`,
    request: get(`/fails?how=${how}`),
    status,
    problem,
    ...(headers && { headers }),
  })),
  {
    name: 'a pointer leads to the member that a resolver finds wrong',
    request: send('POST', '/message', { to: '9', text: 'x' }),
    status: 404,
    problem: {
      code: 'NOT_FOUND',
      detail: 'There is nobody to send it to.',
      errors: [pointer('#/to', 'Nobody has this id.')],
    },
  },
  {
    name: 'a pointer leads to the field of the whole body that a resolver finds wrong',
    request: send('POST', '/person', { name: 'bad' }),
    status: 422,
    problem: {
      code: 'BAD_USER_INPUT',
      detail: 'Some values are wrong.',
      errors: [pointer('#/name', 'Not this name.')],
    },
  },
  { name: 'an answer that is too long is 500', request: get('/long'), status: 500 },
]

function check(t: Test, row: Row, response: TestResponse): void {
  t.equal(response.status, row.status, response.body)
  for (const [name, value] of Object.entries(row.headers ?? {})) {
    t.equal(response.headers.get(name), value, name)
  }
  const bodiless = row.status === 204 || row.status === 304 || row.request.method === 'HEAD'
  if (bodiless) return void t.equal(response.body, '')
  if (row.json !== undefined) t.strictSame(response.json(), row.json)
  if (row.status < 400) return
  const { type, title, status, ...problem } = response.json() as { [name: string]: unknown }
  const code = String(problem['code'])
  t.equal(type, `urn:graphwire:problem:${code.toLowerCase().replaceAll('_', '-')}`)
  t.match(title, /^[A-Z]/)
  t.equal(status, row.status)
  t.equal(typeof problem['detail'], 'string')
  if (row.problem) t.strictSame(problem, row.problem)
}

for (const row of rows) {
  void t.test(row.name, async (t) => {
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
    check(t, row, await testClient(handler)(row.request))
  })
}
