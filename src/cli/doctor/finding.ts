import { toPrintableLine } from '../../conformance/reporters/words/printable.js'
import { wrapText } from '../../base/prose.js'
import { formatAdvice } from '../process/layout.js'
import { paint, type Screen } from '../process/terminal.js'

export interface CheckFinding {
  /** What was looked at, such as `graphql`. */
  readonly check: string
  readonly state: 'ok' | 'warn' | 'fail'
  readonly found: string
  /** Why it matters; undefined if all is well. */
  readonly why?: string | undefined
  readonly remedy?: string | undefined
}

/** Why a finding matters, and what to do about it; braces are for a value that the check knows. */
// oxfmt-ignore
const advice = {
  // Of the project.
  node:               ['graphwire needs Node {}.', 'Install a current LTS release of Node.'],
  'no manifest':      [
    'Without it, npm installs into a folder above, and Node treats .js files as CommonJS.',
    'Run the doctor in the folder of your project, or run `npm init`.',
  ],
  'no graphql':       [
    'graphwire uses the graphql of your project, and needs {}.',
    'Run `npm install graphql@17`, or 16.15 if another package needs graphql 16.',
  ],
  copies:             [
    'A schema that is made with one copy cannot be executed by another: "Cannot use GraphQLSchema from another module or realm".',
    'Run `npm ls graphql` to see which package requires which, and `npm dedupe`; or set "overrides": { "graphql": "$graphql" } in package.json.',
  ],
  // Of its options.
  introspection:      [
    'Everyone can read the whole schema.',
    'Set `introspection: false`, --no-introspection, or NODE_ENV=production, unless the API is public.',
  ],
  ide:                ['Clients do not need the page, and it helps strangers explore the API.', 'Leave the option `ide` out in production, or use --no-ide.'],
  cors:               [
    'The pages of every site can send requests and read the responses.',
    'List the origins of your own pages in `cors.origins`, unless the API is public.',
  ],
  masking:            [
    'Clients see the messages of unexpected errors, which may have secrets.',
    'Remove `maskErrors: false`; throw a GraphQLError for what clients should see.',
  ],
  'report only':      ['Documents beyond these limits run.', 'Once `onLimit` reports no client of yours, remove `reportOnly`.'],
  'raised limits':    [
    'One request may then cost more than the defaults were measured with.',
    'docs/limits.md describes each; raise only what your own clients need.',
  ],
  'proxy trust':      [
    'A client can send it too, and claim any address.',
    'Let the proxy overwrite it, and keep clients from reaching the server past the proxy.',
  ],
  idle:               [
    'The balancer may send a request on a connection that is being closed: a 502 now and then.',
    'Let the server keep connections for more than {} s (`keepAliveTimeout`), or lower the balancer\'s.',
  ],
  // Of a server behind its proxies.
  'no server':        ['Nothing else can be checked.', 'Check the URL, the credentials and whether the server runs.'],
  'no response':      ['There is no response.', 'See the log of the proxy.'],
  'no --partial':     ['Only a query with a field that fails gets 294.', "Pass one, such as --partial '{ failing }'."],
  'invalid query':    ['It is not valid for this schema, so nothing was executed.', 'Pass a valid query with a field that fails.'],
  'no 294':           [
    'Something in between does not pass 294 on, or no field failed.',
    'If the server itself answers 294, let the proxy treat it as 200 (RFC 9110 section 15): see docs/proxies.md.',
  ],
  query:              ['The server or a proxy does not serve the method of RFC 10008.', 'Let the proxy pass it on, or let clients use POST.'],
  vary:               ['A cache may give one client the media type that another one asked for.', 'Let the proxy pass `Vary: Accept` on.'],
  'body limit':       [
    'A proxy refuses bodies that the server takes, in a form that clients of GraphQL cannot read.',
    'Raise the limit of the proxy above `maxBodyBytes`, such as `client_max_body_size 2m` of nginx.',
  ],
  'unasked coding':   ['The client cannot read it.', 'Let the proxy compress only for clients whose `Accept-Encoding` has the coding.'],
  'no coding':        [
    'Large results are sent as they are; graphwire leaves compression to the proxy.',
    'Let the proxy compress application/graphql-response+json and application/json.',
  ],
  'broken coding':    ['The response cannot be decompressed.', 'Turn the compression of the proxy off.'],
  'no vary':          ['A cache may give it to a client that cannot decompress it.', 'Let the proxy add it, such as by `gzip_vary on` of nginx.'],
  'no keep-alive':    ['Each request needs a connection of its own.', 'Let the proxy keep connections open.'],
} as const

/** What a check found: a text if all is well. The value replaces the braces of the advice. */
export type CheckVerdict =
  | string
  | readonly [state: 'warn' | 'fail', found: string, about: keyof typeof advice, value?: string]

export function toFinding(check: string, verdict: CheckVerdict): CheckFinding {
  if (typeof verdict === 'string') return { check, state: 'ok', found: verdict }
  const [state, found, about, value = ''] = verdict
  const [why, remedy] = advice[about].map((text) => text.replace('{}', value))
  return { check, state, found, why, remedy }
}

/** Compares how long a connection is kept with the balancer in front of it, in seconds. */
export function checkIdle(kept: number, balancer: number | undefined): CheckVerdict {
  if (balancer === undefined) return `${kept} s; use --balancer-idle to compare`
  if (kept > balancer) return `${kept} s, longer than the balancer's ${balancer} s`
  return ['fail', `${kept} s, not longer than the balancer's ${balancer} s`, 'idle', `${balancer}`]
}

const stateStyles = { ok: 'green', warn: 'yellow', fail: 'red' } as const

export function formatFindings(findings: readonly CheckFinding[], screen: Screen): string {
  const { columns } = screen
  const width = Math.max(0, ...findings.map(({ check }) => check.length))
  const margin = ' '.repeat(columns < width + 48 ? 6 : width + 8)
  const lines = findings.flatMap(({ check, state, found, why, remedy }) => {
    const start = `${state.padEnd(4)}  ${check.padEnd(width)}  `
    const [first = '', ...more] = wrapText(toPrintableLine(found), columns, start, margin)
    return [
      paint(screen, stateStyles[state], state) + first.slice(state.length),
      ...more,
      ...formatAdvice(why, remedy, columns, margin),
    ]
  })
  const totals = (['ok', 'warn', 'fail'] as const).map(
    (one) => `${findings.filter(({ state }) => state === one).length} ${one}`,
  )
  return `${[...lines, '', totals.join(', ')].join('\n')}\n`
}
