import type { AuthMode } from './access/principal.js'

/** Everything that can be set for the service, resolved from flags, environment and defaults. */
export interface Settings {
  readonly port: number
  readonly host: string
  readonly database: string
  readonly auth: AuthMode
  /** Root fields a minute and identity; undefined takes the service's own two limits. */
  readonly rateLimit: number | 'off' | undefined
  readonly seed: boolean
  readonly redisUrl: string | undefined
  readonly jwtKey: string | undefined
  readonly trustedProxies: number
  readonly metricsToken: string | undefined
  readonly logLevel: LogLevel
  readonly isProduction: boolean
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export type LogLevel = (typeof logLevels)[number]

/** One thing to set: its flag, if it may be seen in a list of processes, and its environment variable. */
export interface Setting<Value> {
  /** Secrets have none. */
  readonly flag?: string
  readonly env: string
  /** What stands behind the flag; a switch takes nothing. */
  readonly placeholder: string | undefined
  readonly doc: string
  /** How help words the default. */
  readonly defaultText: string
  readonly fallback: Value
  /** Whether its text may hold a secret, and so must not be shown: a message may end in a log. */
  readonly isSecret?: boolean
  readonly expected: string
  /** The value, or undefined where the text is none. */
  read(text: string): Value | undefined
}

type SettingTable = {
  readonly [Name in keyof Omit<Settings, 'isProduction'>]: Setting<Settings[Name]>
}

/** The table that the parser, the help and the documentation read. */
export const settingTable: SettingTable = {
  port: {
    flag: 'port',
    env: 'PORT',
    placeholder: 'integer',
    doc: 'The port to listen on; 0 takes a free one.',
    defaultText: '4000',
    fallback: 4000,
    expected: 'a whole number from 0 to 65535',
    read: wholeNumber(0, 65_535),
  },
  host: {
    flag: 'host',
    env: 'HOST',
    placeholder: 'address',
    doc: 'The address to listen on; 0.0.0.0 is reachable from other machines.',
    defaultText: 'localhost',
    fallback: 'localhost',
    expected: 'a name or an address',
    read: (text) => text || undefined,
  },
  database: {
    flag: 'db',
    env: 'DATABASE_URL',
    placeholder: 'path|:memory:|url',
    doc: 'A file of SQLite, :memory:, or postgres://user@host/name.',
    defaultText: 'data/people.db',
    fallback: 'data/people.db',
    isSecret: true,
    expected: 'a path, :memory: or a postgres URL',
    read: (text) => (text === '' || unknownScheme.test(text) ? undefined : text),
  },
  auth: {
    flag: 'auth',
    env: 'AUTH',
    placeholder: 'off|writes|all',
    doc: 'What needs a credential.',
    defaultText: 'writes',
    fallback: 'writes',
    expected: 'off, writes or all',
    read: (text) => (['off', 'writes', 'all'] as const).find((mode) => mode === text),
  },
  rateLimit: {
    flag: 'rate-limit',
    env: 'RATE_LIMIT',
    placeholder: 'off|integer',
    doc: 'Root fields a minute for each key, login or address; a limit of the key itself comes first.',
    defaultText: '600 for a key or login, 1200 for an address',
    fallback: undefined,
    expected: 'off, or a whole number from 1 to 1000000',
    read: (text) => (text === 'off' ? text : wholeNumber(1, 1_000_000)(text)),
  },
  seed: {
    flag: 'seed',
    env: 'SEED',
    placeholder: undefined,
    doc: 'Puts 100 persons into an empty database.',
    defaultText: 'on, but off in production',
    fallback: true,
    expected: 'true or false',
    read: (text) =>
      ['true', '1'].includes(text) ? true : ['false', '0'].includes(text) ? false : undefined,
  },
  redisUrl: {
    env: 'REDIS_URL',
    placeholder: 'url',
    doc: 'Counts of limits stand there, so that several instances share them.',
    defaultText: 'none: each instance counts for itself',
    fallback: undefined,
    isSecret: true,
    expected: 'a URL such as redis://localhost:6379',
    read: (text) => (/^rediss?:\/\/./.test(text) && URL.canParse(text) ? text : undefined),
  },
  jwtKey: {
    env: 'JWT_KEY',
    placeholder: 'key',
    doc: 'Signs login tokens: at least 32 bytes in base64url, or a private JWK for EdDSA.',
    defaultText: 'made for this run; production must set it',
    fallback: undefined,
    isSecret: true,
    expected: 'a key',
    read: (text) => text || undefined,
  },
  trustedProxies: {
    env: 'TRUST_PROXY',
    placeholder: 'integer',
    doc: 'How many proxies stand in front, whose X-Forwarded-For is believed.',
    defaultText: '0',
    fallback: 0,
    expected: 'a whole number from 0 to 16',
    read: wholeNumber(0, 16),
  },
  metricsToken: {
    env: 'METRICS_TOKEN',
    placeholder: 'token',
    doc: 'What /metrics asks for as a bearer token.',
    defaultText: 'none: /metrics is open',
    fallback: undefined,
    isSecret: true,
    expected: 'a token of at least 16 characters without spaces',
    read: (text) => (/^[\x21-\x7e]{16,}$/.test(text) ? text : undefined),
  },
  logLevel: {
    env: 'LOG_LEVEL',
    placeholder: 'level',
    doc: `What is logged: ${logLevels.join(', ')}.`,
    defaultText: 'info',
    fallback: 'info',
    expected: `one of ${logLevels.join(', ')}`,
    read: (text) => logLevels.find((level) => level === text),
  },
}

/** A URL of another database is a mistake, and not the name of a file. */
const unknownScheme = /^(?!postgres(?:ql)?:)[a-z][a-z\d+.-]+:\/\//i

function wholeNumber(least: number, most: number): (text: string) => number | undefined {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    return value >= least && value <= most ? value : undefined
  }
}
