import { readdirSync, readFileSync, statSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { createIde, type IdeOptions } from '@graphwire/ide'
import t from 'tap'
import { createHandler, type Ide } from '../../src/index.js'
import { buildSchema } from '../../src/graphql/schema/build-schema.js'

const root = new URL('../../../packages/ide/', import.meta.url)
const assets = new URL('assets/', root)

interface Manifest {
  readonly inputs: string
  readonly script: string
  readonly style: string
  readonly files: readonly string[]
}

const manifest = JSON.parse(readFileSync(new URL('manifest.json', assets), 'utf8')) as Manifest

/** What all files have together, in bytes. */
const maxBytes = 1_800_000

void t.test('the assets are those of the sources of the page', async (t) => {
  const { hashInputs } = (await import(new URL('page/inputs.mjs', root).href)) as {
    readonly hashInputs: () => string
  }
  t.equal(manifest.inputs, hashInputs(), 'the page has changed: npm run ide')
})

void t.test(`the assets have at most ${maxBytes} bytes`, async (t) => {
  const bytes = readdirSync(assets)
    .map((name) => statSync(new URL(name, assets)).size)
    .reduce((sum, size) => sum + size, 0)
  t.ok(bytes <= maxBytes, `${bytes} bytes`)
})

void t.test('the folder holds the files of the manifest, compressed, alone', async (t) => {
  const compressed = manifest.files.map((name) => `${name}.br`)
  const files = [...compressed, 'licenses.md', 'manifest.json']
  t.strictSame(readdirSync(assets).toSorted(), files.toSorted())
  t.ok(manifest.files.includes(manifest.script))
  t.ok(manifest.files.includes(manifest.style))
})

void t.test('no file names another origin to load something from', async (t) => {
  for (const name of manifest.files.filter((one) => one.endsWith('.css'))) {
    const text = brotliDecompressSync(readFileSync(new URL(`${name}.br`, assets))).toString()
    t.notMatch(text, /url\(["']?(?:https?:|\/\/)|@import/, name)
    t.notMatch(text, /url\(["']?data:font/, `${name}: the policy refuses it`)
  }
})

const ide = createIde()
const { script } = manifest
const packed = readFileSync(new URL(`${script}.br`, assets))
const unpacked = brotliDecompressSync(packed)

// oxfmt-ignore
const requests: readonly [headers: readonly string[], status: number, coding: string | undefined, body: Uint8Array | string][] = [
  [[],                                                     200, undefined, unpacked],
  [['Accept-Encoding', 'gzip, deflate'],                   200, undefined, unpacked],
  [['Accept-Encoding', 'gzip, deflate, br, zstd'],         200, 'br',      packed],
  [['accept-encoding', 'BR;q=0.5'],                        200, 'br',      packed],
  [['Accept-Encoding', 'br;q=0'],                          200, undefined, unpacked],
  [['Accept-Encoding', 'gzip', 'Accept-Encoding', 'br'],   200, 'br',      packed],
  [['Accept-Encoding', '*'],                               200, undefined, unpacked],
  [['If-None-Match', `W/"${script}"`],                      304, undefined, ''],
  [['If-None-Match', `"x", "${script}"`],                   304, undefined, ''],
  [['If-None-Match', '"x"'],                               200, undefined, unpacked],
]

for (const [headers, status, coding, body] of requests) {
  void t.test(`a file with ${headers.join(': ') || 'no header'} is ${status}`, async (t) => {
    const response = ide.asset(script, { headers })
    t.equal(response?.status, status)
    t.ok(Buffer.from(response?.body ?? '').equals(Buffer.from(body)))
    const fields = fieldsOf(response?.headers)
    t.equal(fields.get('content-encoding') ?? undefined, coding)
    t.match(fields.get('cache-control'), /max-age=31536000, immutable/)
    t.equal(fields.get('vary'), 'Accept-Encoding')
    t.match(fields.get('etag'), script)
  })
}

void t.test('each file has a type, and others are not found', async (t) => {
  for (const name of manifest.files) {
    const response = ide.asset(name, { headers: [] })
    t.match(fieldsOf(response?.headers).get('content-type'), /^(?:text\/|font\/)/, name)
  }
  for (const name of ['', 'manifest.json', '../package.json', `${script}.br`, 'constructor']) {
    t.equal(ide.asset(name, { headers: [] }), undefined, name)
  }
})

void t.test('without the option brotli no file has a coding', async (t) => {
  const headers = ['Accept-Encoding', 'br']
  const response = createIde({ brotli: false }).asset(script, { headers })
  t.notOk(fieldsOf(response?.headers).has('content-encoding'))
  t.ok(Buffer.from(response?.body ?? '').equals(unpacked))
})

void t.test('a file is decompressed once', async (t) => {
  const first = ide.asset(script, { headers: [] })
  t.equal(ide.asset(script, { headers: [] })?.body, first?.body)
})

void t.test('the headers of the page', async (t) => {
  const { status, headers } = ide.page({ headers: [] }, { edition: '2026-09' })
  t.equal(status, 200)
  t.match(Object.fromEntries(fieldsOf(headers)), {
    'content-security-policy':
      /^default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data:; connect-src 'self' ws: wss:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    vary: /^Accept$/,
    'cache-control': /^no-store$/,
    'referrer-policy': /^no-referrer$/,
    'x-content-type-options': /^nosniff$/,
  })
})

void t.test('the page has no inline script, and what options say is escaped', async (t) => {
  const options: IdeOptions = {
    title: '</title><script>alert(1)</script>',
    query: '{ a(b: "\'<&>\'") }',
    examples: [{ title: '"><img>', query: '{ a }', variables: { a: '<' } }],
    headers: { 'X-A': '"><img>' },
    subscriptions: 'websocket',
    storeHeaders: true,
  }
  const { body } = createIde(options).page({ headers: [] }, { edition: '"' })
  const page = String(body)
  t.equal(page.match(/<script/g)?.length, 1)
  t.notMatch(page, /<img|<script>| on\w+=/)
  t.match(page, 'data-query="{ a(b: &#34;&#39;&#60;&#38;&#62;&#39;&#34;) }"')
  t.match(page, 'data-edition="&#34;"')
  t.match(page, 'data-examples="[{&#34;title&#34;:&#34;\\&#34;&#62;&#60;img&#62;')
  t.match(page, 'data-subscriptions="websocket"')
  t.match(page, 'data-store-headers="true"')
})

const notExamples =
  "createIde: examples: expected a list such as [{ title: 'People', query: '{ people { name } }' }]."

// oxfmt-ignore
const mistakes: readonly [options: object, message: string][] = [
  [{ titel: 'a' },               'createIde: titel is not an option.'],
  [{ title: 1 },                 'createIde: title: expected a string.'],
  [{ headers: { a: 1 } },        "createIde: headers: expected an object such as { 'X-Tenant': 'a' }."],
  [{ examples: {} },              notExamples],
  [{ examples: [{ title: 'a' }] }, notExamples],
  [{ examples: [{ title: 'a', query: 'b', headers: { c: 1 } }] }, notExamples],
  [{ examples: [{ title: 'a', query: 'b', variables: [] }] }, notExamples],
  [{ subscriptions: 'sockets' }, "createIde: subscriptions: expected 'sse' or 'websocket'."],
  [{ storeHeaders: 'yes' },      'createIde: storeHeaders: expected a boolean.'],
  [{ brotli: 1 },                'createIde: brotli: expected a boolean.'],
]

for (const [options, message] of mistakes) {
  void t.test(`${JSON.stringify(options)} is a mistake`, async (t) => {
    t.throws(() => createIde(options), { message })
  })
}

void t.test('it is an option of the engine, whose types are the same', async (t) => {
  const checked: Ide = ide
  const schema = buildSchema('type Query { a: Int }')
  t.type(createHandler({ schema, ide: checked }), 'function')
})

function fieldsOf(list: readonly string[] = []): Headers {
  const fields = new Headers()
  for (let at = 0; at < list.length; at += 2) fields.append(list[at] ?? '', list[at + 1] ?? '')
  return fields
}
