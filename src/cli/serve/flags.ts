import type { EditionName } from '../../index.js'
import {
  choiceType,
  integerType,
  switchType,
  textType,
  type FlagTable,
  type FlagType,
} from '../flag.js'

/** What `serve` can be told. */
export interface ServeFlags {
  readonly standard: boolean
  readonly resolvers: string | undefined
  readonly data: string | undefined
  readonly port: number
  readonly host: string
  readonly path: string
  readonly edition: EditionName
  readonly introspection: boolean | undefined
  readonly timeout: number
  readonly 'max-body': number
  readonly workers: number
  readonly watch: boolean
}

const urlPath: FlagType<string> = {
  placeholder: 'path',
  expected: 'a path such as /graphql, without "?" and "#"',
  read: (text) => (/^\/[^?#\s]*$/.test(text) ? text : undefined),
}

const what = 'What is served'
const where = 'Where'
const how = 'How requests are answered'
const processes = 'Processes'

/** The flags of `serve`: help, the documentation and the parser read this table. */
export const serveFlags: FlagTable<ServeFlags> = {
  resolvers: {
    type: textType('file', 'the name of a module'),
    default: undefined,
    env: ['GRAPHWIRE_RESOLVERS'],
    group: what,
    doc: 'A module with the resolvers of an SDL file, by type and field.',
  },
  data: {
    type: textType('file', 'the name of a JSON file'),
    default: undefined,
    env: ['GRAPHWIRE_DATA'],
    group: what,
    doc: 'A JSON file with the values of the root fields.',
  },
  standard: {
    type: switchType,
    default: false,
    env: ['GRAPHWIRE_STANDARD'],
    group: what,
    doc: 'Serves the standard schema of the conformance suite.',
  },
  port: {
    type: integerType(0, 65_535),
    default: 4000,
    env: ['GRAPHWIRE_PORT', 'PORT'],
    group: where,
    doc: 'The port; 0 takes a free one.',
  },
  host: {
    type: textType('host', 'a host name or an address'),
    default: 'localhost',
    env: ['GRAPHWIRE_HOST', 'HOST'],
    group: where,
    doc: 'The name or address to listen on; 0.0.0.0 is every IPv4 interface.',
  },
  path: {
    type: urlPath,
    default: '/graphql',
    env: ['GRAPHWIRE_PATH'],
    group: where,
    doc: 'The only path that is served.',
  },
  edition: {
    type: choiceType<EditionName>('2026-08', '2025-05'),
    default: '2026-08',
    env: ['GRAPHWIRE_EDITION'],
    group: how,
    doc: 'The edition of GraphQL over HTTP.',
  },
  introspection: {
    type: switchType,
    default: undefined,
    defaultText: 'on, but off if NODE_ENV=production',
    env: ['GRAPHWIRE_INTROSPECTION'],
    group: how,
    doc: 'Whether clients may read the schema.',
  },
  timeout: {
    type: integerType(1, 2_147_483_647, 'ms'),
    default: 10_000,
    env: ['GRAPHWIRE_TIMEOUT'],
    group: how,
    doc: 'How long an operation may take, in milliseconds.',
  },
  'max-body': {
    type: integerType(1, 1_073_741_824, 'bytes'),
    default: 1_048_576,
    env: ['GRAPHWIRE_MAX_BODY'],
    group: how,
    doc: 'The largest request body, in bytes.',
  },
  workers: {
    type: integerType(1, 256),
    default: 1,
    env: ['GRAPHWIRE_WORKERS'],
    group: processes,
    doc: 'How many processes share the port.',
  },
  watch: {
    type: switchType,
    default: false,
    env: ['GRAPHWIRE_WATCH'],
    group: processes,
    doc: 'Serves the new schema when a file changes; a broken one leaves the old one up.',
  },
}
