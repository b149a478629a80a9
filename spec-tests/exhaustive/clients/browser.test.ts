import { createServer } from 'node:http'
import t from 'tap'
import { toNodeListener } from '../../../src/hosts/node/index.js'
import { createHandler, type EditionName } from '../../../src/index.js'
import { createStandardSchema } from '../../../src/standard/standard-schema.js'
import { listenFor } from '../../hosts/start-node.js'
import { runInPage, skip } from './drive-browser.js'
import { editionNames } from './serve-standard.js'

/** What the page is to pass to its fetch; `navigate` opens the URL in a frame instead. */
interface BrowserRequest extends RequestInit {
  readonly url: string
  readonly navigate?: boolean
}

interface BrowserResponse {
  readonly [name: string]: unknown
  readonly body?: string
}

/** Stands in a URL for the same server under another name, which is another site to the browser. */
const otherSite = 'http://other-site'

/** A request of the page and what is expected of its answer; the body is parsed, if there is one to read. */
type Row = readonly [
  title: string,
  request: BrowserRequest,
  wanted: BrowserResponse,
  body?: unknown,
]

const json = { 'content-type': 'application/json' }
const graphql = 'application/graphql-response+json'

void t.test('fetch in Chromium', { skip }, async (t) => {
  t.setTimeout(130_000)
  const schema = createStandardSchema()
  const listeners = editionNames.map((edition) =>
    toNodeListener(createHandler({ schema, edition, path: `/${edition}` })),
  )
  const rows = editionNames.flatMap((edition) => rowsOf(edition))
  const server = createServer((incoming, outgoing) => {
    const at = editionNames.findIndex((edition) => incoming.url?.startsWith(`/${edition}`))
    const listener = listeners[at]
    if (listener === undefined) outgoing.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>')
    else listener(incoming, outgoing)
  })
  const port = await listenFor(t, server)
  const requests = JSON.stringify(rows.map(([, request]) => request))
  const plan = requests.replaceAll(otherSite, `http://localhost:${port}`)
  const page = `http://127.0.0.1:${port}/`
  const answers = await runInPage<readonly BrowserResponse[]>(page, 'browser-page.mjs', plan)
  for (const [index, [title, , wanted, body]] of rows.entries()) {
    void t.test(title, async (t) => {
      const answer = answers[index] ?? {}
      t.match(answer, wanted)
      if (body !== undefined) t.match(JSON.parse(answer.body ?? ''), body)
    })
  }
})

function rowsOf(edition: EditionName): Row[] {
  const url = `/${edition}`
  // oxfmt-ignore
  return [
    ...headerRows(edition, url),
    ...otherSiteRows(edition, url),
    [
      `${edition}: the address bar shows the answer to a GET`,
      { url: get(url, '{ echo(s: "ein Stück") }'), navigate: true },
      {},
      { data: { echo: 'ein Stück' } },
    ],
  ]
}

function headerRows(edition: EditionName, url: string): Row[] {
  const body = JSON.stringify({ query: '{ counter }' })
  // oxfmt-ignore
  return [
    [`${edition}: a query by QUERY`, { url, method: 'QUERY', headers: json, body }, { status: 200, kind: 'basic' }, { data: { counter: 0 } }],
    [`${edition}: partial data has a reason phrase and is not stored`, { url: get(url, '{ fail }'), headers: { accept: graphql } }, {
      statusText: edition === '2026-09' ? 'Partial Success' : 'OK',
      type: `${graphql}; charset=utf-8`,
      cacheControl: 'no-store',
    }, { data: { fail: null } }],
    [
      `${edition}: text that fetch calls text/plain`,
      { url, method: 'POST', body },
      { status: 415 },
      { errors: [{ extensions: { code: 'UNSUPPORTED_MEDIA_TYPE' } }] },
    ],
  ]
}

/** A page of another site may send what a form can send, without asking first and without reading the answer. */
function otherSiteRows(edition: EditionName, url: string): Row[] {
  const there = `${otherSite}${url}`
  const body = JSON.stringify({ query: 'mutation { increment }' })
  // oxfmt-ignore
  return [
    [`${edition}: another site sends a mutation like a form`, { url: there, method: 'POST', mode: 'no-cors', body }, { kind: 'opaque' }],
    [`${edition}: another site sends a mutation as JSON`,     { url: there, method: 'POST', headers: json, body }, { failure: 'TypeError' }],
    [`${edition}: another site sends a mutation by GET`,      { url: get(there, 'mutation { increment }'), mode: 'no-cors' }, { kind: 'opaque' }],
    [`${edition}: none of them has run`,                      { url: get(url, '{ counter }') }, { status: 200 }, { data: { counter: 0 } }],
  ]
}

function get(url: string, query: string): string {
  return `${url}?${new URLSearchParams({ query }).toString()}`
}
