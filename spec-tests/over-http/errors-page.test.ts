import { readFileSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { editions } from '../../src/over-http/editions.js'
import { fillRow, type RefusalRow } from '../../src/over-http/refusal-row.js'
import { refusals } from '../../src/over-http/refusals.js'
import { describeMcpRefusal, mcpRefusals } from '@graphwire/mcp'
import { routeRefusals } from '@graphwire/rest'

const page = new URL('../../../docs/errors.md', import.meta.url)

type Rows = { readonly [kind: string]: RefusalRow<never> }

/** The members of all refusals, with which each row can be filled in. */
// oxfmt-ignore
const sample: { readonly [member: string]: unknown } = {
  type: 'application/json',
  path: '/', method: 'PUT', get: true, operation: 'mutation', coding: 'br', supported: [],
  limit: 1, found: 2, isDecompressed: false, host: '', names: [], where: 'body', detail: '', name: '', expected: '',
  cause: 'timed-out', by: 'requests', id: '', challenge: '', retryAfter: 1, status: 418,
  message: undefined, code: undefined, origin: '', mediaType: '', allow: '', accepts: [], members: [], field: 'If-Match', errors: [], charset: '', problem: '', isUpload: false, requested: '', isBatch: false, of: 'cost', what: 'subscription',
}

/** A refusal of every kind: a row that needs a member it does not have says so. */
function sampleOf(kind: string): never {
  return new Proxy(
    { ...sample, kind },
    {
      get(members: { readonly [member: string]: unknown }, member) {
        const name = String(member)
        if (Object.hasOwn(members, name)) return members[name]
        throw new Error(`Add "${name}", which the row "${kind}" reads, to the sample of this test.`)
      },
    },
  ) as never
}

function table(rows: Rows, codeOf?: (kind: string) => number): string {
  const lines = Object.entries(rows).map(([kind, row]) => {
    const { status, code: own } = fillRow(row, sampleOf(kind), editions['2026-09'])
    const code = codeOf === undefined ? own : codeOf(kind)
    const isDenied = kind === 'denied'
    const told = isDenied ? 'as denied' : String(status)
    return {
      place: isDenied ? Infinity : status,
      line: `| ${told} | \`${code}\` | ${row.doc[0]} | ${row.doc[1]} |`,
    }
  })
  const sorted = lines.toSorted((a, b) => a.place - b.place)
  const head = ['| Status | Code | When | What to do |', '|---|---|---|---|']
  return [...head, ...sorted.map(({ line }) => line)].join('\n')
}

function between(text: string, name: string, content: string): string {
  const [before = '', rest = ''] = text.split(`<!-- ${name}: begin -->`)
  const [, after = ''] = rest.split(`<!-- ${name}: end -->`)
  return `${before}<!-- ${name}: begin -->\n\n${content}\n\n<!-- ${name}: end -->${after}`
}

void t.test('the page of errors lists every refusal', async (t) => {
  const text = readFileSync(page, 'utf8')
  const tables: readonly [name: string, content: string][] = [
    ['refusals', table(refusals)],
    ['route refusals', table(routeRefusals)],
    ['tool refusals', table(mcpRefusals, (kind) => describeMcpRefusal(sampleOf(kind)).rpcCode)],
  ]
  const wanted = tables.reduce((whole, [name, content]) => between(whole, name, content), text)
  if (process.env['UPDATE']) writeFileSync(page, wanted)
  else {
    t.equal(
      text,
      wanted,
      'UPDATE=1 node dist/spec-tests/over-http/errors-page.test.js writes the tables',
    )
  }
  t.match(wanted, '| 406 | `NOT_ACCEPTABLE` |')
})
