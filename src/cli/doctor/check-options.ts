import { limitRows } from '../../graphql/limits/limits.js'
import type { NumberRow } from '../../shapes/number-row.js'
import { connectionRows } from '../../hosts/node/connection/connection-options.js'
import { nodeHostRows } from '../../hosts/node/exchange/node-host-options.js'
import { requestRows } from '../../options/numeric-options.js'
import type { PlannedOptions } from '../serve/flags/apply-plan.js'
import { fine, type Finding } from './findings/finding.js'

/** What the options are checked for. */
export interface OptionsContext {
  readonly isProduction: boolean
  /** How long the balancer keeps idle connections, in seconds; undefined if it was not said. */
  readonly balancerIdle: number | undefined
  /** The text of the user's module, in which functions may read headers. */
  readonly source: string
}

/** What is open, unmasked or unlimited. Outside production the same is fine, and only told. */
export function checkServedOptions(
  options: PlannedOptions,
  context: OptionsContext,
): readonly Finding[] {
  const { isProduction } = context
  const weigh = (finding: Finding): Finding =>
    isProduction || finding.state === 'ok'
      ? finding
      : fine(finding.check, `${finding.found} (fine while developing)`)
  return [
    weigh(checkIntrospection(options)),
    weigh(checkIde(options)),
    weigh(checkCors(options)),
    weigh(checkMasking(options)),
    weigh(checkReportOnly(options)),
    weigh(checkAccess(options)),
    checkLimits(options),
    checkTrust(context.source),
    checkKeepAlive(options, context.balancerIdle),
  ]
}

function checkIntrospection({ introspection }: PlannedOptions): Finding {
  if (!introspection) return fine('introspection', 'off')
  return {
    check: 'introspection',
    state: 'warn',
    found: 'on',
    why: 'Everyone can read the whole schema.',
    remedy:
      'Set `introspection: false`, --no-introspection, or NODE_ENV=production, unless the API is public.',
  }
}

function checkIde({ ide }: PlannedOptions): Finding {
  if (ide === undefined) return fine('ide', 'off')
  return {
    check: 'ide',
    state: 'warn',
    found: 'on',
    why: 'The page is of no use to clients, and shows strangers how to ask.',
    remedy: 'Leave the option `ide` out in production, or use --no-ide.',
  }
}

function checkCors({ cors }: PlannedOptions): Finding {
  if (cors === undefined) return fine('cors', 'off: only pages of this origin')
  if (cors.origins !== '*') return fine('cors', cors.origins.join(', '))
  return {
    check: 'cors',
    state: 'warn',
    found: '*',
    why: 'The pages of every site can send requests and read the responses.',
    remedy: 'List the origins of your own pages in `cors.origins`, unless the API is public.',
  }
}

function checkMasking({ maskErrors }: PlannedOptions): Finding {
  if (maskErrors !== false) return fine('masking', 'on')
  return {
    check: 'masking',
    state: 'fail',
    found: 'off',
    why: 'Clients see the messages of unexpected errors, which may have secrets.',
    remedy: 'Remove `maskErrors: false`; throw a GraphQLError for what clients should see.',
  }
}

function checkReportOnly({ reportOnly }: PlannedOptions): Finding {
  if (reportOnly.length === 0) return fine('limits', 'enforced')
  return {
    check: 'limits',
    state: 'warn',
    found: `only reported: ${typeof reportOnly === 'string' ? reportOnly : reportOnly.join(', ')}`,
    why: 'Documents beyond these limits run.',
    remedy: 'Once `onLimit` reports no client of yours, remove `reportOnly`.',
  }
}

function checkAccess({ authenticate, admit }: PlannedOptions): Finding {
  if (authenticate !== undefined) return fine('credentials', 'checked by `authenticate`')
  if (admit !== undefined) return fine('credentials', 'checked by `admit`')
  return fine('credentials', 'none: everyone may ask')
}

const rows: { readonly [option: string]: NumberRow } = {
  ...limitRows,
  ...requestRows,
  ...nodeHostRows,
  ...connectionRows,
}

function checkLimits(options: PlannedOptions): Finding {
  const values: { readonly [name: string]: unknown } = { ...options }
  const raised = Object.entries(rows).flatMap(([name, row]) => {
    const value = values[name]
    const isRaised = name.startsWith('max') && typeof value === 'number' && value > row.default
    return isRaised ? [`${name} ${value} (default ${row.default})`] : []
  })
  if (raised.length === 0) return fine('raised limits', 'none')
  return {
    check: 'raised limits',
    state: 'warn',
    found: raised.join(', '),
    why: 'One request may then cost more than the defaults were measured with.',
    remedy: 'See docs/limits.md for the reason of each; raise only what your own clients need.',
  }
}

/** Nothing in the engine reads what a proxy adds. */
function checkTrust(source: string): Finding {
  const header = /x-forwarded-[a-z]+|x-real-ip|\bforwarded['"]/i.exec(source)?.[0]
  if (header === undefined) return fine('proxy trust', 'nothing reads X-Forwarded-*')
  return {
    check: 'proxy trust',
    state: 'warn',
    found: `the module reads ${header}`,
    why: 'A client can send it too, and claim any address.',
    remedy: 'Let the proxy overwrite it, and let nobody reach the server past the proxy.',
  }
}

function checkKeepAlive({ keepAliveTimeout }: PlannedOptions, idle: number | undefined): Finding {
  const check = 'keep-alive'
  const seconds = keepAliveTimeout / 1000
  if (idle === undefined) return fine(check, `${seconds} s; say --balancer-idle to compare`)
  if (seconds > idle) return fine(check, `${seconds} s, longer than the balancer's ${idle} s`)
  return {
    check,
    state: 'fail',
    found: `${seconds} s, not longer than the balancer's ${idle} s`,
    why: 'The balancer may send a request on a connection that the server is closing: a 502 now and then.',
    remedy: `Set \`keepAliveTimeout\` to more than ${idle * 1000}, or lower the balancer's.`,
  }
}
