import type { EditionName } from '../../index.js'
import { choiceType, integerType, switchType, textType, type FlagTable } from '../flag.js'
import { connectionFlags, type ConnectionFlags } from './connection-flags.js'
import { limitFlags, type LimitFlags } from './limit-flags.js'
import { originsType, type Origins } from './origins.js'
import { urlPath } from './url-path.js'

/** What `serve` can be told. */
export interface ServeFlags extends LimitFlags, ConnectionFlags {
  readonly standard: boolean
  readonly resolvers: string | undefined
  readonly data: string | undefined
  readonly port: number
  readonly host: string
  readonly path: string
  readonly edition: EditionName
  readonly introspection: boolean | undefined
  readonly cors: Origins | undefined
  readonly get: boolean
  readonly workers: number
  readonly watch: boolean
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
  cors: {
    type: originsType,
    default: undefined,
    env: ['GRAPHWIRE_CORS'],
    group: how,
    doc: 'The origins whose pages may send requests, or * for all.',
  },
  get: {
    type: switchType,
    default: true,
    env: ['GRAPHWIRE_GET'],
    group: how,
    doc: 'Whether queries may come by GET.',
  },
  ...limitFlags,
  ...connectionFlags,
  workers: {
    type: integerType(1, 256),
    default: 1,
    env: ['GRAPHWIRE_WORKERS'],
    group: processes,
    doc: 'How many processes answer; given at all, one more looks after them.',
  },
  watch: {
    type: switchType,
    default: false,
    env: ['GRAPHWIRE_WATCH'],
    group: processes,
    doc: 'Serves the new schema when a file changes; a broken one leaves the old one up.',
  },
}
