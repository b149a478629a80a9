import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { toFetch } from 'graphwire/fetch'
import { testClient, type TestRequest } from 'graphwire/testing'
import { buildSchema, createHandler, success, type Options } from 'graphwire'
import { defer } from '../../../spec-tests/base/defer.js'
import { createStandardSchema } from '../../../src/standard/standard-schema.js'
import { IncomingFile, uploads, uploadScalar } from '@graphwire/uploads'
import type { Upload, UploadOptions } from '@graphwire/uploads'

import {
  boundary,
  end,
  filesFor,
  multipart,
  parameters,
  partOf,
  receive,
  uploadHeaders,
  type Part,
} from './multipart.js'

const a: Part = { name: '0', filename: 'a.txt', type: 'text/plain', content: 'Alpha' }
const b: Part = { name: '1', filename: 'b.bin', type: 'Application/X-Thing; v=1', content: '' }

function clientOf(limits: UploadOptions = {}, options: Partial<Options> = {}) {
  const uploading = { uploads: uploads(limits), ...options }
  return testClient(createHandler({ schema: createStandardSchema(), ...uploading }))
}

const single = filesFor(receive, 1)
const received = (...files: readonly unknown[]): object => ({ data: { receiveFiles: files } })
const alpha = { name: 'a.txt', mediaType: 'text/plain', size: 5, text: 'Alpha' }

/** What is sent, and the response, or its status and a part of its message. */
// oxfmt-ignore
const requests: readonly [
  title: string,
  body: string,
  expected: object | readonly [status: number, message: string],
][] = [
  [
    'two files, one of them empty',
    multipart(...filesFor(receive, 2), a, b),
    received(alpha, { name: 'b.bin', mediaType: 'application/x-thing', size: 0, text: '' }),
  ],
  ['a file that two fields read, one after the other', multipart(...filesFor(receive.replace(/receiveFiles.* \}(?= \})/, 'a: $& b: $&'), 1), a), {
    data: { a: [alpha], b: [null] },
    errors: [
      {
        message: 'The file has been read already.',
        path: ['b', 0],
        extensions: { code: 'FILE_READ' },
      },
    ],
  }],
  ['a part twice: the second is ignored', multipart(...single, a, { ...a, content: 'Beta' }),        received(alpha)],
  [
    'operations with a type of its own',
    multipart({ ...(single[0] as Part), type: 'text/html; charset=latin1', filename: 'x' }, single[1] as Part, a),
    received(alpha),
  ],
  ['a file without a name',          multipart(...single, { name: '0', content: 'Alpha' }),        received({ ...alpha, name: '' })],
  ['a name with folders of Windows', multipart(...single, { ...a, filename: 'C:\\x\\y.txt' }),     received({ ...alpha, name: 'y.txt' })],
  ['text before the first boundary', `a preamble\r\n${multipart(...single, a)}`,                   received(alpha)],
  ['text behind the last boundary',  `${multipart(...single, a)}an epilogue`,                      received(alpha)],
  [
    'content that looks like a boundary',
    multipart(...single, { ...a, content: `x--${boundary}\r\n--x` }),
    received({ ...alpha, size: 18, text: `x--${boundary}\r\n--x` }),
  ],
  ['a file of the map that does not come', multipart(...filesFor(receive, 2), a), {
    data: { receiveFiles: [alpha, null] },
    errors: [{ message: 'The request has no part "1".', extensions: { code: 'FILE_MISSING' } }],
  }],

  ['the map first',                            multipart(...single.toReversed(), a), [400, 'expected the part "operations" first, but found "map"']],
  ['no map',                                   multipart(single[0] as Part),         [400, 'expected the part "map" second, but it is missing']],
  ['no part',                                  end,                                  [400, 'expected the part "operations" first, but it is missing']],
  ['no body',                                  '',                                   [400, 'it is incomplete']],
  ['no boundary in the body',                  'x'.repeat(1000),                     [400, 'it is incomplete']],
  ['a body without its end, before the files', partOf(single[0] as Part),            [400, 'it is incomplete']],
  ['operations that are not JSON',             multipart(...parameters('{', {})),    [400, 'The parameter "operations" is not valid JSON']],
  [
    'a map that is a list',
    multipart(...parameters({ query: receive }, [])),
    [422, 'The parameter "map" must be a JSON object with a list of paths for each file.'],
  ],
  ['a map of lists of numbers',            multipart(...parameters({ query: receive }, { 0: [1] })), [422, 'The parameter "map" must be']],
  ['a list of operations without batches', multipart(...parameters([{ query: receive }], {})), [422, 'batching is not supported']],
  ['operations without a query',           multipart(...parameters({}, {})), [422, 'The parameter "query" is missing.']],
  ['a file in place of the query',         multipart(...parameters({ query: null }, { 0: ['query'] }), a), [422, 'The map points to "query"']],
  ['too many files',                       multipart(...filesFor(receive, 11)), [413, 'The request has 11 files, more than the limit of 10.']],
  [
    'large operations',
    multipart({ name: 'operations', content: ' '.repeat(1024 * 1024 + 1) }),
    [413, 'The parameters are larger than the limit of 1048576 bytes.'],
  ],
  ['a large map',                   multipart(single[0] as Part, { name: 'map', content: ' '.repeat(1024 * 1024) }), [413, 'The parameters are larger']],
  ['operations that are not UTF-8', multipart({ name: 'operations', content: '\u00ff' }, single[1] as Part),         [400, 'not well-formed UTF-8']],
]

for (const [title, text, expected] of requests) {
  void t.test(title, async (t) => {
    const body = title.includes('not UTF-8') ? Buffer.from(text, 'latin1') : text
    const response = await clientOf()({ body, headers: uploadHeaders })
    const json = response.json<{ readonly errors?: readonly { readonly message: string }[] }>()
    if (!Array.isArray(expected)) return void t.match(json, expected)
    const [status, message] = expected as unknown as readonly [number, string]
    t.equal(response.status, status, response.body)
    t.ok(json.errors?.[0]?.message.includes(message), response.body)
  })
}

/** Paths that lead to no null of the variables. */
// oxfmt-ignore
const paths = [
  'variables', 'variables.', 'variables.file', 'variables.files', 'variables.files.1', 'variables.files.-1', 'variables.files.00', 'variables.files.length',
  'variables.__proto__.x', '__proto__.x', 'variables.files.__proto__.x', 'variables.constructor.prototype.x', 'variables.own.__proto__', 'variables.own.__proto__.x',
  'variables.files.constructor', 'variables.text', 'variables.text.0', 'variables.files.0.x', 'extensions.x', 'query', '', '0.variables.files.0', 'variables..files',
]

for (const path of paths) {
  void t.test(`the path ${JSON.stringify(path)} is refused`, async (t) => {
    const operations = `{ "query": ${JSON.stringify(receive)}, "extensions": { "x": null }, "variables": { "files": [null], "text": "x", "own": { "__proto__": { "x": null } } } }`
    const body = multipart(...parameters(operations, { 0: [path] }), a)
    const response = await clientOf()({ body, headers: uploadHeaders })
    t.equal(response.status, 422, response.body)
    t.match(response.json(), { errors: [{ extensions: { code: 'UPLOAD_PATH' } }] })
    t.same(Object.keys(Object.prototype), [])
  })
}

void t.test('a place cannot have two files', async (t) => {
  const operations = { query: receive, variables: { files: [null] } }
  const map = { 0: ['variables.files.0'], 1: ['variables.files.0'] }
  const body = multipart(...parameters(operations, map), a, b)
  t.equal((await clientOf()({ body, headers: uploadHeaders })).status, 422)
})

const ofType = (type: string) => ({ headers: { ...uploadHeaders, 'Content-Type': type } })

/** What else may differ of a request with a file. */
// oxfmt-ignore
const heads: readonly [title: string, request: Partial<TestRequest>, status: number, code?: string][] = [
  ['no boundary',           ofType('multipart/form-data'),                                        400, 'UPLOAD_MALFORMED'],
  ['an empty boundary',     ofType('multipart/form-data; boundary='),                             415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['a long boundary',       ofType(`multipart/form-data; boundary=${'x'.repeat(71)}`),            400, 'UPLOAD_MALFORMED'],
  ['an invalid boundary',   ofType('multipart/form-data; boundary="a@b"'),                        400, 'UPLOAD_MALFORMED'],
  ['two boundaries',        ofType(`multipart/form-data; boundary=x; boundary=${boundary}`),      400, 'UPLOAD_MALFORMED'],
  ['another multipart',     ofType(`multipart/mixed; boundary=${boundary}`),                      415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['a form',                ofType('application/x-www-form-urlencoded'),                          415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['a quoted boundary, and the type in capitals', ofType(`Multipart/Form-Data; Boundary="${boundary}"`), 200],
  ['QUERY',                 { method: 'QUERY', headers: uploadHeaders },                          415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['a compressed body',     { headers: { ...uploadHeaders, 'Content-Encoding': 'gzip' } },        415, 'UNSUPPORTED_ENCODING'],
]

for (const [title, request, status, code] of heads) {
  void t.test(`an upload with ${title} is ${status}`, async (t) => {
    const response = await clientOf()({ body: multipart(...single, a), ...request })
    t.equal(response.status, status)
    const refusal = { errors: [{ extensions: { code } }] }
    t.match(response.json(), status === 200 ? received(alpha) : refusal)
  })
}

void t.test('without the option multipart is refused as before', async (t) => {
  const plain = testClient(createHandler({ schema: createStandardSchema() }))
  t.equal((await plain({ body: multipart(...single, a), headers: uploadHeaders })).status, 415)
})

void t.test('a header that a form cannot set is required', async (t) => {
  const { 'Content-Type': type } = uploadHeaders
  const body = multipart(...single, a)
  const without = await clientOf()({ body, headers: { 'Content-Type': type } })
  t.equal(without.status, 403)
  t.match(
    without.body,
    /A multipart request must have at least one of the headers graphql-require-preflight, apollo-require-preflight/,
  )
  const apollo = await clientOf()({
    body,
    headers: { 'Content-Type': type, 'Apollo-Require-Preflight': 'true' },
  })
  t.equal(apollo.status, 200)
  const own = clientOf({ headers: ['X-Mine'] })
  t.equal((await own({ body, headers: uploadHeaders })).status, 403)
  t.equal((await own({ body, headers: { ...uploadHeaders, 'x-mine': '' } })).status, 200)
})

void t.test('a length above all limits is refused with its head', async (t) => {
  const headers = { ...uploadHeaders, 'Content-Length': String(1024 * 1024 + 101) }
  const response = await clientOf({ maxTotalBytes: 100 })({
    body: multipart(...single, a),
    headers,
  })
  t.equal(response.status, 413)
  t.match(response.json(), {
    errors: [{ extensions: { code: 'UPLOAD_TOO_LARGE', allowed: 1_048_676, found: 1_048_677 } }],
  })
})

void t.test('a file that two operations of a batch read', async (t) => {
  const operations = [0, 1].map(() => ({ query: receive, variables: { files: [null] } }))
  const map = { 0: ['0.variables.files.0', '1.variables.files.0'] }
  const body = multipart(...parameters(operations, map), a)
  const response = await clientOf({}, { batch: {} })({ body, headers: uploadHeaders })
  t.match(response.json(), [received(alpha), { errors: [{ extensions: { code: 'FILE_READ' } }] }])
})

// oxfmt-ignore
const limits: readonly [title: string, limits: UploadOptions, expected: object][] = [
  ['a file may have maxFileBytes', { maxFileBytes: 5 }, received(alpha)],
  ['a file may not have more', { maxFileBytes: 4 }, {
    data: { receiveFiles: [null] },
    errors: [{ message: 'The file is larger than the limit of 4 bytes.', path: ['receiveFiles', 0], extensions: { code: 'FILE_TOO_LARGE', allowed: 4 } }],
  }],
  ['all files may have maxTotalBytes', { maxTotalBytes: 5 }, received(alpha)],
  ['all files may not have more', { maxTotalBytes: 4 }, {
    errors: [{ message: 'The files are larger than 4 bytes in all.', extensions: { code: 'UPLOAD_TOO_LARGE', allowed: 4 } }],
  }],
]

for (const [title, options, expected] of limits) {
  void t.test(title, async (t) => {
    const response = await clientOf(options)({
      body: multipart(...single, a),
      headers: uploadHeaders,
    })
    t.match(response.json(), expected)
  })
}

for (const value of [{}, 'a.txt', { open: 'x' }]) {
  void t.test(`${JSON.stringify(value)} is not a file`, async (t) => {
    const response = await clientOf()({ json: { query: receive, variables: { files: [value] } } })
    t.equal(response.status, 422)
    t.match(response.body, /A file must be sent as a part of a multipart request/)
  })
}

void t.test('a file cannot be a literal, nor part of a response', async (t) => {
  const sdl = 'scalar Upload type Query { size(file: Upload!): Int back(file: Upload!): Upload }'
  const schema = buildSchema(sdl, {
    Upload: uploadScalar,
    Query: { size: () => 1, back: (_: unknown, { file }: { readonly file: Upload }) => file },
  })
  const onBug = (): void => undefined
  const send = testClient(createHandler({ schema, uploads: uploads(), onBug }))
  const literal = await send({ json: { query: '{ size(file: "a") }' } })
  t.equal(literal.status, 422)
  t.match(literal.body, /A file must be a variable/)
  const query = 'query ($file: Upload!) { back(file: $file) }'
  const parts = parameters({ query, variables: { file: null } }, { 0: ['variables.file'] })
  const response = await send({ body: multipart(...parts, a), headers: uploadHeaders })
  t.match(response.json(), { data: { back: null }, errors: [{ path: ['back'] }] })
})

void t.test('an upload whose refusal cannot be formatted gives its place back', async (t) => {
  const formatError = (): never => {
    throw new Error('no format')
  }
  const send = clientOf({ maxConcurrent: 1 }, { clientShare: 100, formatError, onBug: () => {} })
  const body = multipart(...filesFor('{ unknown }', 1), a)
  t.equal((await send({ body, headers: uploadHeaders })).status, 500)
  t.equal((await send({ body: multipart(...single, a), headers: uploadHeaders })).status, 200)
})

void t.test('behind hooks that wait, an upload has its own time limit', async (t) => {
  const authenticate = async () => success(undefined)
  const context = (): Promise<void> => sleep(100)
  const hooks = { executionTimeout: 50, authenticate, context }
  const handler = createHandler({ schema: createStandardSchema(), uploads: uploads(), ...hooks })
  const body = multipart(...single, a)
  const request = new Request('http://localhost/', { method: 'POST', body, headers: uploadHeaders })
  t.equal((await toFetch(handler)(request)).status, 200)
})

// oxfmt-ignore
const mistakes: readonly [make: () => unknown, message: RegExp][] = [
  [() => uploads({ maxFile: 1 } as never), /uploads: maxFile is not an option. Did you mean "maxFiles"/],
  [() => uploads({ headers: [] }),         /uploads: headers: expected a list of at least one header name/],
  [() => uploads({ maxFiles: 0 }),         /uploads: maxFiles: expected/],
  [() => clientOf({}, { uploads: {} as never }), /uploads: expected what uploads\(\) of '@graphwire\/uploads' returns/],
]

void t.test('mistakes in the options', async (t) => {
  for (const [make, message] of mistakes) t.throws(make, message)
})

void t.test('files have their time limit, however their request began to wait', async (t) => {
  const handler = createHandler({
    schema: createStandardSchema(),
    uploads: uploads({ timeout: 5000 }),
    executionTimeout: 20,
    authenticate: async () => success(undefined),
  })
  async function* arriving(): AsyncGenerator<Uint8Array> {
    const content = Buffer.from(multipart(...single, a))
    yield content.subarray(0, 10)
    await sleep(100)
    yield content.subarray(10)
  }
  const response = await handler({
    method: 'POST',
    target: '/graphql',
    headers: Object.entries(uploadHeaders).flat(),
    raw: undefined,
    body: { read: () => new Uint8Array(), chunks: arriving },
  })
  t.equal(response.status, 200)
  t.match(JSON.parse(response.body as string), received(alpha))
})

void t.test('a file is opened once, even before it is read', async (t) => {
  const file = new IncomingFile(() => undefined)
  const opening = file.open()
  const again = { message: 'The file has been read already.' }
  await t.rejects(file.open(), again, 'while it has not arrived')
  file.arrive('a.txt', 'text/plain')
  const { stream } = await opening
  await t.rejects(file.open(), again)
  await stream.cancel()
  await t.rejects(file.open(), again)
})

void t.test('a file that has arrived does not fail later', async (t) => {
  const file = new IncomingFile(() => undefined)
  file.arrive('a.txt', 'text/plain')
  file.end()
  file.fail(new Error('The request fails.'))
  const opened = await file.open()
  t.equal(opened.filename, 'a.txt')
  t.equal(await new Response(opened.stream).text(), '')
})

void t.test('more at the same time than `maxConcurrent` is refused', async (t) => {
  const handler = createHandler({
    schema: createStandardSchema(),
    uploads: uploads({ maxConcurrent: 1 }),
  })
  const headers = Object.entries(uploadHeaders).flat()
  const request = (chunks: () => AsyncIterable<Uint8Array>) =>
    handler({
      method: 'POST',
      target: '/graphql',
      headers,
      raw: undefined,
      body: { read: () => new Uint8Array(), chunks },
    })
  const go = defer()
  const waits = request(async function* () {
    await go.promise
    yield Buffer.from(multipart(...single, a))
  })
  t.equal((await request(async function* () {})).status, 503)
  go.resolve()
  t.equal((await waits).status, 200)
})
