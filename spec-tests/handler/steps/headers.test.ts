import t from 'tap'
import type { OperationRequest, Options } from '../../../src/index.js'
import { clientOf } from '../client-of.js'
import { majors, type Major } from './majors.js'

type Set = OperationRequest['responseHeaders']

/** Runs a mutation whose resolver sets headers; gives the lines of the answer and what `onBug` got. */
async function run(major: Major, resolve: (headers: Set) => void, options: Partial<Options> = {}) {
  const { schema, graphql } = major
  let ran = 0
  const m = (_: unknown, { responseHeaders }: OperationRequest): string => {
    ran++
    resolve(responseHeaders)
    return 'x'
  }
  const { handler, bugs } = clientOf({ schema, graphql, rootValue: { m }, ...options })
  const headers = ['Content-Type', 'application/json', 'Origin', 'https://app.example']
  const body = { read: () => new TextEncoder().encode('{"query":"mutation { m }"}') }
  const response = await handler({ method: 'POST', target: '/', headers, raw: undefined, body })
  const linesOf = (name: string): string[] =>
    response.headers.filter((_, at) => response.headers[at - 1]?.toLowerCase() === name)
  return { response, linesOf, bugs, ran }
}

const origins = ['https://app.example']
const cors = { origins }

// oxfmt-ignore
const rows: readonly [title: string, resolve: (headers: Set) => void, options: Partial<Options>, name: string, lines: readonly string[]][] = [
  ['cookies of all layers are kept', (headers) => ['a=1', 'b=2'].map((cookie) => headers.append('Set-Cookie', cookie)), {
    responseHeaders: () => ({ 'Set-Cookie': ['c=3', 'd=4'] }),
    onResult: (_, { headers }) => headers.append('set-cookie', 'e=5'),
  }, 'set-cookie', ['a=1', 'b=2', 'c=3', 'd=4', 'e=5']],
  ['of any other field the outer layer wins', (headers) => headers.set('X-Who', 'resolver'), {
    responseHeaders: () => ({ 'x-who': 'responseHeaders' }),
    onResult: (_, { headers }) => headers.set('X-WHO', 'onResult'),
  }, 'x-who', ['onResult']],
  ['Vary is one line of all names, each once', (headers) => headers.append('Vary', 'accept, X-Resolver'), {
    cors,
    responseHeaders: () => ({ Vary: ['Accept', 'X-Tenant'] }),
    onResult: (_, { headers }) => headers.set('Vary', 'Origin, X-Result'),
  }, 'vary', ['Accept, X-Resolver, Origin, X-Tenant, X-Result']],
  ['CORS replaces a line of a resolver', (headers) => headers.set('access-control-allow-origin', '*'), { cors }, 'access-control-allow-origin', origins],
  ['a line of responseHeaders replaces that of CORS', () => undefined, {
    cors,
    responseHeaders: () => ({ 'Access-Control-Allow-Origin': 'https://other.example' }),
  }, 'access-control-allow-origin', ['https://other.example']],
]

for (const major of majors) {
  for (const [title, resolve, options, name, lines] of rows) {
    void t.test(`${title}, ${major.name}`, async (t) => {
      const { response, linesOf, bugs } = await run(major, resolve, options)
      t.equal(response.status, 200)
      t.strictSame(bugs, [])
      t.strictSame(linesOf(name), lines)
    })
  }
}

// oxfmt-ignore
const wrong: readonly [name: unknown, value: unknown, message: RegExp][] = [
  ['X-A',            undefined,              /^The value of the header X-A must be a string, not undefined\.$/],
  ['X-A',            null,                   /not null/],
  ['X-A',            5,                      /not of type number/],
  ['X-A',            {},                     /not of type object/],
  ['X-A',            ['a', 'b'],             /not an array: call append\(\) for each line/],
  ['X-A',            'a\r\nSet-Cookie: b=1', /a character that HTTP does not allow/],
  ['X-A',            '\u0000',               /a character that HTTP does not allow/],
  ['X-A',            '\u{1F3C3}',            /a character that HTTP does not allow/],
  ['X A',            'a',                    /^Invalid header name: "X A"\.$/],
  ['',               'a',                    /^Invalid header name: ""\.$/],
  [undefined,        'a',                    /^Invalid header name: undefined\.$/],
  ...'Content-Type Content-Length Content-Encoding Transfer-Encoding Trailer Connection Keep-Alive Proxy-Connection Upgrade HTTP2-Settings TE'
    .split(' ')
    .map((name) => [name, '1', new RegExp(`^The header ${name} is managed by graphwire`)] as [string, string, RegExp]),
]

for (const major of majors) {
  for (const [name, value, message] of wrong) {
    for (const method of ['set', 'append'] as const) {
      const title = `${method}(${JSON.stringify([name, value])}) throws, ${major.name}`
      void t.test(title, async (t) => {
        const { response, bugs } = await run(major, (headers) => {
          headers[method](name as string, value as string)
        })
        t.equal(response.status, 294, 'the response reports the field and nothing else')
        t.match(bugs, [{ name: 'TypeError', message }])
        t.equal(bugs.length, 1)
      })
    }
  }
}

const [major] = majors as [Major]

/** What responseHeaders gives wrongly, when the mutation has run. */
// oxfmt-ignore
const mistakes: readonly (readonly [title: string, responseHeaders: unknown, message: RegExp])[] = [
  ...wrong
    // A list is two lines, and an empty name or undefined becomes a text as a key.
    .filter(([name, value]) => name !== undefined && !Array.isArray(value))
    .map(([name, value, message]) => [`gives ${JSON.stringify([name, value])}`, () => ({ [String(name)]: value, 'X-Good': 'yes' }), message] as const),
  ['gives a list with something else in it', () => ({ 'X-A': [undefined], 'X-Good': 'yes' }), /X-A must be a string, not undefined/],
  ['throws', () => { throw new Error('secret') }, /secret/],
  ['gives Headers', () => new Headers({ 'X-A': 'a' }) as never, /expected an object such as/],
  ['answers by a promise', () => Promise.reject(new Error('secret')), /expected headers, got a promise/],
  ['gives a text',         () => 'X-A: 1',                            /^responseHeaders: expected an object/],
  ['gives null',           () => null,                                /^responseHeaders: expected an object/],
  ['gives a list',         () => ['X-A', '1'],                        /^responseHeaders: expected an object/],
]

for (const [title, responseHeaders, message] of mistakes) {
  void t.test(`a mutation that ran is a success where responseHeaders ${title}`, async (t) => {
    const { response, linesOf, bugs, ran } = await run(major, () => undefined, {
      responseHeaders: responseHeaders as never,
    })
    t.equal(ran, 1)
    t.equal(response.status, 200)
    t.equal(response.body, '{"data":{"m":"x"}}')
    t.match(bugs, [{ message }])
    t.equal(bugs.length, 1)
    t.strictSame(linesOf('x-a'), [])
    t.strictSame(linesOf('x-good'), String(responseHeaders).includes('X-Good') ? ['yes'] : [])
  })
}
