import { changedNumbers, type PlannedOptions } from '../serve/flags/apply-plan.js'
import { checkIdle, toFinding, type CheckFinding, type CheckVerdict } from './finding.js'

/** What the options are checked for. */
interface OptionsContext {
  readonly isProduction: boolean
  /** How long the balancer keeps idle connections, in seconds; undefined if it was not said. */
  readonly balancerIdle: number | undefined
  /** The text of the user's module, in which functions may read headers. */
  readonly source: string
}

/** What is open, unmasked or unlimited. Outside production, what would be open there is only named. */
export function checkServedOptions(
  options: PlannedOptions,
  { isProduction, balancerIdle, source }: OptionsContext,
): readonly CheckFinding[] {
  const open = Object.entries(checkOpenness(options)).map(([check, verdict]) =>
    isProduction || typeof verdict === 'string'
      ? toFinding(check, verdict)
      : toFinding(check, `${verdict[1]} (fine while developing)`),
  )
  const seconds = options.keepAliveTimeout / 1000
  const remedy = `Set \`keepAliveTimeout\` to more than ${(balancerIdle ?? 0) * 1000}, or lower the balancer's.`
  return [
    ...open,
    toFinding('raised limits', checkLimits(options)),
    toFinding('proxy trust', checkTrust(source)),
    toFinding('keep-alive', checkIdle(seconds, balancerIdle, remedy)),
  ]
}

function checkOpenness(options: PlannedOptions): { readonly [check: string]: CheckVerdict } {
  const { introspection, ide, cors, maskErrors, reportOnly, authenticate, admit } = options
  const checker = authenticate === undefined ? admit && '`admit`' : '`authenticate`'
  const reported = typeof reportOnly === 'string' ? reportOnly : reportOnly.join(', ')
  return {
    introspection: introspection
      ? [
          'warn',
          'on',
          'Everyone can read the whole schema.',
          'Set `introspection: false`, --no-introspection, or NODE_ENV=production, unless the API is public.',
        ]
      : 'off',
    ide:
      ide === undefined
        ? 'off'
        : [
            'warn',
            'on',
            'The page is of no use to clients, and shows strangers how to ask.',
            'Leave the option `ide` out in production, or use --no-ide.',
          ],
    cors:
      cors?.origins === '*'
        ? [
            'warn',
            '*',
            'The pages of every site can send requests and read the responses.',
            'List the origins of your own pages in `cors.origins`, unless the API is public.',
          ]
        : (cors?.origins.join(', ') ?? 'off: only pages of this origin'),
    masking:
      maskErrors === false
        ? [
            'fail',
            'off',
            'Clients see the messages of unexpected errors, which may have secrets.',
            'Remove `maskErrors: false`; throw a GraphQLError for what clients should see.',
          ]
        : 'on',
    limits:
      reported === ''
        ? 'enforced'
        : [
            'warn',
            `only reported: ${reported}`,
            'Documents beyond these limits run.',
            'Once `onLimit` reports no client of yours, remove `reportOnly`.',
          ],
    credentials: checker === undefined ? 'none: everyone may ask' : `checked by ${checker}`,
  }
}

function checkLimits(options: PlannedOptions): CheckVerdict {
  const raised = changedNumbers(options).flatMap(({ name, value, row }) =>
    name.startsWith('max') && value > row.default
      ? `${name} ${value} (default ${row.default})`
      : [],
  )
  if (raised.length === 0) return 'none'
  return [
    'warn',
    raised.join(', '),
    'One request may then cost more than the defaults were measured with.',
    'docs/limits.md describes each; raise only what your own clients need.',
  ]
}

/** Nothing in the engine reads what a proxy adds. */
function checkTrust(source: string): CheckVerdict {
  const header = /x-forwarded-[a-z]+|x-real-ip|\bforwarded['"]/i.exec(source)?.[0]
  if (header === undefined) return 'nothing reads X-Forwarded-*'
  return [
    'warn',
    `the module reads ${header}`,
    'A client can send it too, and claim any address.',
    'Let the proxy overwrite it, and let nobody reach the server past the proxy.',
  ]
}
