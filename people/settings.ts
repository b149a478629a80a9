import { success, type Outcome } from 'graphwire'
import {
  aSwitch,
  flagTable,
  oneOf,
  readArguments,
  textLike,
  wholeNumber,
  type Environment,
  type Kind,
  type ValuesOf,
} from './command-line.js'
import { hasLateAt } from './store/database-url.js'

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** Everything that can be set for the service, resolved from flags, environment and defaults. */
export interface ServiceSettings extends ValuesOf<typeof settingTable> {
  readonly isProduction: boolean
}

/** The limits of a rate, in root fields per minute. */
export const perMinute: Kind<number> = wholeNumber(1, 1_000_000)

/** The table that the parser, the help and the documentation read. */
export const settingTable = flagTable({
  port: {
    flag: 'port',
    env: 'PORT',
    doc: 'Port to listen on; 0 picks a free one.',
    fallback: 4000,
    ...wholeNumber(0, 65_535),
  },
  host: {
    flag: 'host',
    env: 'HOST',
    placeholder: 'address',
    doc: 'Address to listen on; 0.0.0.0 is reachable from other machines.',
    fallback: 'localhost',
    expected: 'a host name or an address',
    read: (text) => text || undefined,
  },
  database: {
    flag: 'db',
    env: 'DATABASE_URL',
    placeholder: 'path|:memory:|url',
    doc: 'SQLite file, :memory:, or postgres://user@host/name.',
    fallback: 'data/people.db',
    expected: 'a path, :memory: or a postgres URL',
    // Whether it names a database is only known when it is opened.
    read: (text) => text || undefined,
  },
  auth: {
    flag: 'auth',
    env: 'AUTH',
    doc: 'Which requests need a credential.',
    fallback: 'writes' as const,
    ...oneOf('off', 'writes', 'all'),
  },
  rateLimit: {
    flag: 'rate-limit',
    env: 'RATE_LIMIT',
    placeholder: 'off|integer',
    doc: 'Root fields per minute; a limit of the key overrides it.',
    defaultText: '600 for a key or login, 1200 for an address',
    fallback: undefined,
    expected: `off, or ${perMinute.expected}`,
    read: (text) => (text === 'off' ? ('off' as const) : perMinute.read(text)),
  },
  seed: {
    flag: 'seed',
    env: 'SEED',
    doc: 'Add 100 persons to an empty database.',
    defaultText: 'on, but off in production',
    fallback: true,
    ...aSwitch,
  },
  ide: {
    flag: 'ide',
    env: 'IDE',
    doc: 'Show browsers an IDE at /graphql.',
    defaultText: 'on, but off in production',
    fallback: 'on' as const,
    ...oneOf('on', 'off'),
  },
  redisUrl: {
    env: 'REDIS_URL',
    doc: 'Redis that shares the counts of rate limits, and announces changes.',
    defaultText: 'none, each instance counts for itself',
    fallback: undefined,
    ...serverUrl(/^rediss?:\/\/./, 'redis://localhost:6379'),
  },
  natsUrl: {
    env: 'NATS_URL',
    doc: 'NATS that announces changes.',
    defaultText: 'none: Redis if set, else PostgreSQL',
    fallback: undefined,
    ...serverUrl(/^(?:nats|tls):\/\/./, 'nats://localhost:4222'),
  },
  streamsPerKey: {
    env: 'STREAMS_PER_KEY',
    doc: 'Open streams of each key or login, at each instance.',
    fallback: 20,
    ...wholeNumber(0, 1_000_000),
  },
  streamsPerAddress: {
    env: 'STREAMS_PER_ADDRESS',
    doc: 'Open streams of each address without a credential.',
    fallback: 100,
    ...wholeNumber(0, 1_000_000),
  },
  jwtKey: {
    env: 'JWT_KEY',
    doc: 'Key that signs login tokens: 32 bytes in base64url, or a private JWK for EdDSA.',
    defaultText: 'generated at start; required in production',
    fallback: undefined,
    ...textLike('key', /./, 'a key'),
  },
  trustedProxies: {
    env: 'TRUST_PROXY',
    doc: 'Proxies in front whose X-Forwarded-For is trusted.',
    fallback: 0,
    ...wholeNumber(0, 16),
  },
  metricsToken: {
    env: 'METRICS_TOKEN',
    doc: 'Bearer token that /metrics requires.',
    defaultText: 'none, /metrics is public',
    fallback: undefined,
    ...textLike('token', /^[\x21-\x7e]{16,}$/, 'a token of at least 16 characters without spaces'),
  },
  keysPerPrincipal: {
    env: 'IDEMPOTENCY_KEYS',
    doc: 'Stored responses, by Idempotency-Key, of each key, login or address.',
    fallback: 100_000,
    ...wholeNumber(0, 10_000_000),
  },
  auditDays: {
    env: 'AUDIT_DAYS',
    doc: 'Days to keep the audit; 0 records nothing.',
    fallback: 90,
    ...wholeNumber(0, 3_650),
  },
  corsOrigins: {
    flag: 'cors-origins',
    env: 'CORS_ORIGINS',
    placeholder: '*|origins',
    doc: 'Origins whose pages may use the service, or * for all.',
    fallback: undefined,
    expected: '*, or origins such as https://app.example.com, separated by commas',
    read: readOrigins,
  },
  corsMaxAge: {
    env: 'CORS_MAX_AGE',
    doc: 'Seconds for which browsers may cache a preflight.',
    fallback: 600,
    ...wholeNumber(0, 86_400),
  },
  logLevel: {
    env: 'LOG_LEVEL',
    doc: `Lowest level to log: ${logLevels.join(', ')}.`,
    fallback: 'info' as const,
    ...oneOf(...logLevels),
    placeholder: 'level',
  },
})

/** The settings of `args` and `env`, flags first; a failure says what is wrong with which of them. */
export function readSettings(
  args: readonly string[],
  env: Environment,
): Outcome<ServiceSettings | 'help' | 'version', string> {
  // `set NODE_ENV=production &&` of cmd.exe leaves a space at the end.
  const isProduction = env['NODE_ENV']?.trim().toLowerCase() === 'production'
  // A database in production has its own people.
  const seed = { ...settingTable.seed, fallback: !isProduction }
  const ide = { ...settingTable.ide, fallback: isProduction ? 'off' : 'on' } as const
  const words = readArguments(args, { ...settingTable, seed, ide }, env)
  if (!words.ok) return words
  const { value } = words
  return success(typeof value === 'string' ? value : { ...value.values, isProduction })
}

/** The URL of a server. */
function serverUrl(form: RegExp, example: string): Kind<string> {
  return {
    placeholder: 'url',
    expected: `a URL such as ${example}, where a password is escaped (@ is %40, / is %2F)`,
    read: (text) => (form.test(text) && URL.canParse(text) && !hasLateAt(text) ? text : undefined),
  }
}

/** The maximum number of origins: each request is compared with all of them. */
const maxOrigins = 100

function readOrigins(text: string): readonly string[] | '*' | undefined {
  if (text === '*') return text
  const origins = text.split(',').map((one) => one.trim())
  return origins.length <= maxOrigins && origins.every(isOrigin) ? origins : undefined
}

/** As browsers send it: lower case, without a path or a default port. */
function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
}
