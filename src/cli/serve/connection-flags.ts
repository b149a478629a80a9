import { integerType, type FlagTable } from '../flag.js'
import { optionalPath } from './url-path.js'

/** What `serve` can be told of connections, and of their end. */
export interface ConnectionFlags {
  readonly 'max-sockets': number
  readonly 'live-path': string | false
  readonly 'ready-path': string | false
  readonly 'drain-delay': number
  readonly grace: number
  readonly deadline: number
}

const longestTimer = 2_147_483_647
const connections = 'Connections'
const stopping = 'Stopping'

/** The flags of `serve` for connections, and for their end. */
export const connectionFlags: FlagTable<ConnectionFlags> = {
  'max-sockets': {
    type: integerType(1, 1_000_000),
    default: 10_000,
    env: ['GRAPHWIRE_MAX_SOCKETS'],
    group: connections,
    doc: 'The most connections that a process keeps.',
  },
  'live-path': {
    type: optionalPath,
    default: '/livez',
    env: ['GRAPHWIRE_LIVE_PATH'],
    group: connections,
    doc: 'Answers 200 as long as the process runs.',
  },
  'ready-path': {
    type: optionalPath,
    default: '/readyz',
    env: ['GRAPHWIRE_READY_PATH'],
    group: connections,
    doc: 'Answers 200, and 503 as soon as the server is told to stop.',
  },
  'drain-delay': {
    type: integerType(0, longestTimer, 'ms'),
    default: 0,
    env: ['GRAPHWIRE_DRAIN_DELAY'],
    group: stopping,
    doc: 'How long a server that must stop still takes connections, not being ready.',
  },
  grace: {
    type: integerType(0, longestTimer, 'ms'),
    default: 1_000,
    env: ['GRAPHWIRE_GRACE'],
    group: stopping,
    doc: 'How long idle connections stay, since a request may be on its way.',
  },
  deadline: {
    type: integerType(1, longestTimer, 'ms'),
    default: 9_000,
    env: ['GRAPHWIRE_DEADLINE'],
    group: stopping,
    doc: 'How long after the signal requests that are left are cut.',
  },
}
