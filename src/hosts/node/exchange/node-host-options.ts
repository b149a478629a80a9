import { ByteBudget } from '../../../base/byte-budget.js'
import { UnreadBudget } from '../../../base/unread-budget.js'
import {
  bytes,
  count,
  milliseconds,
  resolveNumbers,
  shapesOf,
  type NumbersOf,
  type Resolved,
} from '../../../shapes/number-row.js'
import { objectOf, type Shape, type Shapes } from '../../../shapes/shape.js'
import {
  hostShapes,
  resolveHostOptions,
  type HostOptions,
  type HostSettings,
} from '../../host-options.js'
import { defaultMaxSmallChunks } from '../../gathered-body.js'
import { requestRows, type RequestNumbers } from '../../../options/numeric-options.js'
import { createClientReader } from '../../../http/client-address.js'
import type { Incoming, Outgoing } from './incoming.js'

export interface NodeHostOptions
  extends HostOptions, NumbersOf<typeof nodeHostRows>, ClientOptions {}

/** How clients are identified, and what one may hold, as in the options of a handler. */
type ClientOptions = Pick<RequestNumbers, 'trustedProxies' | 'clientShare'>

const MiB = 1024 * 1024

/** How the Node hosts read requests and send responses. */
export const nodeHostRows = {
  /** How much of a request to read and discard after an early response, in bytes. Otherwise the client would lose the response. A chunk counts as at least 1 KiB. Default: 16 MiB. */
  // Reason: a client that is still sending must be able to read the response.
  lingerBytes: bytes(16 * MiB),
  /** How long to read and discard the rest of such a request, in milliseconds. Default: 3,000. */
  // Reason: a client that sends slowly must not hold a socket.
  lingerTimeout: milliseconds(3000, {
    least: 0,
  }),
  /** Time limit for a client to read a whole response, in milliseconds. Does not apply to frameworks that send responses themselves. Default: 30,000. */
  // Reason: a client that does not read holds its response in memory: the connection is cut, or the
  // stream of HTTP/2.
  sendTimeout: milliseconds(30_000),
  /** Maximum memory for responses that clients have not read, in bytes. Beyond it, the client that holds the most loses the largest of them. Does not apply to frameworks that send responses themselves. Default: 128 MiB. */
  // Beyond it: the connection is cut, or the stream of HTTP/2. Reason: a hundred clients that do
  // not read would hold a gigabyte until `sendTimeout`.
  maxUnreadBytes: bytes(128 * MiB),
  /** Maximum size of all bodies of a listener whose requests have no response yet, in bytes. Brackets, and keys that are numbers, count more. Over HTTP/1.1, the first 64 KiB of each body are not counted; over HTTP/2, a request counts with its head and 8 KiB. Default: 128 MiB. */
  // Beyond it: 503, with Retry-After. Reason: a thousand clients that send nearly all of a body and
  // then nothing would hold a gigabyte; parsed, JSON takes up to ten times what it counts, for as
  // long as resolvers can read it.
  maxBufferedBytes: bytes(128 * MiB),
  /** Maximum number of chunks of less than 64 bytes in a body. Default: 10,000. */
  // Beyond it: 413. Reason: each costs time and memory, whatever it holds: a million chunks of one
  // byte took 0.4 s and 100 MB.
  maxSmallChunks: count(defaultMaxSmallChunks, {
    least: 0,
  }),
}

const { trustedProxies, clientShare } = requestRows
const clientRows = { trustedProxies, clientShare }

export const nodeHostShapes: Shapes<NodeHostOptions> = {
  ...hostShapes,
  ...shapesOf(nodeHostRows),
  ...shapesOf(clientRows),
}

export const nodeHostShape: Shape = objectOf<NodeHostOptions>('{ onBug }', nodeHostShapes)

export interface NodeHostSettings
  extends
    HostSettings,
    Omit<Resolved<typeof nodeHostRows>, 'maxBufferedBytes' | 'maxUnreadBytes'>,
    Resolved<ClientOptions> {
  /** Identifies the client of a request; undefined without an address. */
  readonly clientOf: (incoming: Incoming) => string | undefined
  /**
   * The bytes of bodies until their requests have a response, and those of one client. Each body has a limit, but a thousand
   * that are nearly complete would hold a gigabyte, and JSON takes up to ten times its weight once it is parsed.
   */
  readonly bodies: ByteBudget
  /** The responses that clients have not read, which wait in memory. A single one may be of any size. */
  readonly unread: UnreadBudget
}

/** A request of Node, its response, and the rules of its host. */
export interface NodeExchange {
  readonly incoming: Incoming
  readonly outgoing: Outgoing
  readonly settings: NodeHostSettings
}

export function resolveNodeHostOptions(options: NodeHostOptions): NodeHostSettings {
  const resolved = resolveNumbers(nodeHostRows, options)
  const { maxBufferedBytes, maxUnreadBytes, ...numbers } = resolved
  const clients = resolveNumbers(clientRows, options)
  const clientOf = createClientReader(clients.trustedProxies)
  return {
    ...resolveHostOptions(options),
    ...numbers,
    ...clients,
    clientOf: (raw) => clientOf({ headers: raw.rawHeaders, raw }),
    bodies: new ByteBudget(maxBufferedBytes, clients.clientShare),
    unread: new UnreadBudget(maxUnreadBytes, 1),
  }
}
