import { success, type Outcome } from 'graphwire'
import {
  aSwitch,
  oneOf,
  readArguments,
  setting,
  textLike,
  wholeNumber,
  type Kind,
  type ValuesOf,
} from './command-line.js'
import type { Limits } from './access/principal.js'
import { hasLateAt } from './store/database-url.js'

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export interface ServiceSettings extends ValuesOf<typeof settingTable> {
  readonly isProduction: boolean
}

/** The limits of a rate, in root fields per minute. */
export const perMinute: Kind<number> = wholeNumber(1, 1_000_000)

const offOrPerMinute: Kind<Limits | 'off'> = {
  placeholder: 'off|integer',
  expected: `off, or ${perMinute.expected}`,
  read(text) {
    if (text === 'off') return text
    const limit = perMinute.read(text)
    return limit === undefined ? undefined : { perKey: limit, perAddress: limit }
  },
}

function serverUrl(form: RegExp, example: string): Kind<string> {
  return {
    placeholder: 'url',
    expected: `a URL such as ${example}, where a password is escaped (@ is %40, / is %2F)`,
    read: (text) => (form.test(text) && URL.canParse(text) && !hasLateAt(text) ? text : undefined),
  }
}

const originsOrAll: Kind<readonly string[] | '*'> = {
  placeholder: '*|origins',
  expected: '*, or origins such as https://app.example.com, separated by commas',
  read(text) {
    if (text === '*') return text
    const origins = text.split(',').map((one) => one.trim())
    // Each request is compared with all of them.
    return origins.length <= 100 && origins.every(isOrigin) ? origins : undefined
  },
}

/** As browsers send it: lower case, without a path or a default port. */
function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text
}

const aHost = textLike('address', /./, 'a host name or an address')
/** Whether it names a database is only known when it is opened. */
const aDatabase = textLike('path|:memory:|url', /./, 'a path, :memory: or a postgres URL')
const aRedis = serverUrl(/^rediss?:\/\/./, 'redis://localhost:6379')
const aNats = serverUrl(/^(?:nats|tls):\/\/./, 'nats://localhost:4222')
const aKey = textLike('key', /./, 'a key')
const tokenWords = 'a token of at least 16 characters without spaces'
const aToken = textLike('token', /^[\x21-\x7e]{16,}$/, tokenWords)
const aLevel = { ...oneOf(...logLevels), placeholder: 'level' }

/** The table that the parser, the help and the documentation read: variable, kind, default and meaning of each. */
// oxfmt-ignore
export const settingTable = {
  port:              setting({ env: 'PORT', flag: 'port' }, wholeNumber(0, 65_535), 4000, 'Port to listen on; 0 picks a free one.'),
  host:              setting({ env: 'HOST', flag: 'host' }, aHost, 'localhost', 'Address to listen on; 0.0.0.0 is reachable from other machines.'),
  database:          setting({ env: 'DATABASE_URL', flag: 'db' }, aDatabase, 'data/people.db', 'SQLite file, :memory:, or postgres://user@host/name.'),
  auth:              setting({ env: 'AUTH', flag: 'auth' }, oneOf('off', 'writes', 'all'), 'writes', 'Which requests need a credential.'),
  rateLimit:         setting({ env: 'RATE_LIMIT', flag: 'rate-limit' }, offOrPerMinute, { perKey: 600, perAddress: 1_200 }, 'Root fields per minute; a limit of the key overrides it.',
                       '600 for a key or login, 1200 for an address'),
  seed:              setting({ env: 'SEED', flag: 'seed' }, aSwitch, true, 'Add 100 persons to an empty database.', 'on, but off in production'),
  ide:               setting({ env: 'IDE', flag: 'ide' }, oneOf('on', 'off'), 'on', 'Show browsers an IDE at /graphql.', 'on, but off in production'),
  redisUrl:          setting({ env: 'REDIS_URL' }, aRedis, undefined, 'Redis that shares the counts of rate limits, and announces changes.',
                       'none, each instance counts for itself'),
  natsUrl:           setting({ env: 'NATS_URL' }, aNats, undefined, 'NATS that announces changes.', 'none: Redis if set, else PostgreSQL'),
  streamsPerKey:     setting({ env: 'STREAMS_PER_KEY' }, wholeNumber(0, 1_000_000), 20, 'Open streams of each key or login, at each instance.'),
  streamsPerAddress: setting({ env: 'STREAMS_PER_ADDRESS' }, wholeNumber(0, 1_000_000), 100, 'Open streams of each address without a credential.'),
  jwtKey:            setting({ env: 'JWT_KEY' }, aKey, undefined, 'Key that signs login tokens: 32 bytes in base64url, or a private JWK for EdDSA.',
                       'generated at start; required in production'),
  trustedProxies:    setting({ env: 'TRUST_PROXY' }, wholeNumber(0, 16), 0, 'Proxies in front whose X-Forwarded-For is trusted.'),
  metricsToken:      setting({ env: 'METRICS_TOKEN' }, aToken, undefined, 'Bearer token that /metrics requires.', 'none, /metrics is public'),
  keysPerPrincipal:  setting({ env: 'IDEMPOTENCY_KEYS' }, wholeNumber(0, 10_000_000), 100_000,
                       'Stored responses, by Idempotency-Key, of each key, login or address.'),
  auditDays:         setting({ env: 'AUDIT_DAYS' }, wholeNumber(0, 3_650), 90, 'Days to keep the audit; 0 records nothing.'),
  corsOrigins:       setting({ env: 'CORS_ORIGINS', flag: 'cors-origins' }, originsOrAll, undefined, 'Origins whose pages may use the service, or * for all.'),
  corsMaxAge:        setting({ env: 'CORS_MAX_AGE' }, wholeNumber(0, 86_400), 600, 'Seconds for which browsers may cache a preflight.'),
  logLevel:          setting({ env: 'LOG_LEVEL' }, aLevel, 'info', `Lowest level to log: ${logLevels.join(', ')}.`),
}

/** The settings of `args` and `env`, flags first; a failure says what is wrong with which of them. */
export function readSettings(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
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
