import { editions } from '../../src/over-http/editions.js'
import { fillRow, type RefusalRow } from '../../src/over-http/refusal-row.js'
import { refusals } from '../../src/over-http/refusals.js'
import { describeMcpRefusal, mcpRefusals } from '@graphwire/mcp'
import { routeRefusals } from '@graphwire/rest'
import { formatTable } from './markdown.js'

type Rows = { readonly [kind: string]: RefusalRow<never> }

/** The members of all refusals, with which each row can be filled in. */
// oxfmt-ignore
const sample: { readonly [member: string]: unknown } = {
  type: 'application/json',
  path: '/', method: 'PUT', methods: ['GET', 'POST'], operation: 'mutation', coding: 'br', supported: [],
  limit: 1, found: 2, isDecompressed: false, host: '', names: [], where: 'body', detail: '', name: '', expected: '',
  cause: 'timed-out', by: 'requests', id: '', challenge: '', retryAfter: 1, status: 418,
  message: undefined, code: undefined, origin: '', mediaType: '', allow: '', accepts: [], members: [], errors: [], charset: '', problem: '', isUpload: false, requested: '', isBatch: false, of: 'cost', what: 'subscription',
}

/** A refusal of every kind: a row that needs a member it does not have says so. */
function sampleOf(kind: string): never {
  return new Proxy(
    { ...sample, kind },
    {
      get(members: { readonly [member: string]: unknown }, member) {
        const name = String(member)
        if (Object.hasOwn(members, name)) return members[name]
        throw new Error(
          `Add "${name}", which the row "${kind}" reads, to the sample of the tables.`,
        )
      },
    },
  ) as never
}

/** The tables of everything that is refused: by HTTP, by routes, and by tools. */
export function makeRefusalTables(): string {
  return [
    '## Refusals of HTTP',
    'The status is the same for GraphQL and for routes. If a limit was exceeded, `extensions` also has `allowed`, and `found` if it is known.',
    table(refusals),
    '## Refusals of routes',
    '[Routes](../rest.md) send the refusals above as problems (RFC 9457), and add these:',
    table(routeRefusals),
    '## Refusals of tools',
    '[Tools](../mcp.md) send the refusals of HTTP as errors of JSON-RPC, with the code in `error.data.code`, and add these, with codes of JSON-RPC:',
    table(mcpRefusals, (kind) => describeMcpRefusal(sampleOf(kind)).rpcCode),
  ].join('\n\n')
}

function table(rows: Rows, codeOf?: (kind: string) => number): string {
  const lines = Object.entries(rows).map(([kind, row]) => {
    const { status, code: own } = fillRow(row, sampleOf(kind), editions['2026-09'])
    const isDenied = kind === 'denied'
    const shown = isDenied ? 'as denied' : String(status)
    const code = codeOf === undefined ? own : codeOf(kind)
    return { place: isDenied ? Infinity : status, cells: [shown, `\`${code}\``, ...row.doc] }
  })
  const sorted = lines.toSorted((a, b) => a.place - b.place)
  return formatTable([
    ['Status', 'Code', 'When', 'What to do'],
    ...sorted.map(({ cells }) => cells),
  ])
}
