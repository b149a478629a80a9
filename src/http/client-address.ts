import { memo } from './memo.js'
import { fieldValue, type RequestHead } from './message.js'

/** A request of Node, or of a framework on it. */
interface NodeRequest {
  readonly socket?: {
    readonly remoteAddress?: string | undefined
    readonly localAddress?: string | undefined
    readonly destroyed?: boolean
  }
}

/** Finds the address of the client; undefined where the runtime gives none. */
export type AddressReader = (head: RequestHead) => string | undefined

/**
 * The address of the socket, or the one that the outermost trusted proxy reports. Each proxy appends the
 * address of its client to X-Forwarded-For; clients can forge the entries before those.
 */
export function createAddressReader(trustedProxies: number): AddressReader {
  return createReader(trustedProxies, normalAddress)
}

/** The part of a request that shows its client. */
type ShownClient = Pick<RequestHead, 'raw' | 'headers'>

/** Identifies the client, for limits of which each client has a share. */
export function createClientReader(
  trustedProxies: number,
): (shown: ShownClient) => string | undefined {
  // Looked up for each request that waits: parsing an IPv6 address again would take 4 us.
  const read = memo((text = '') => {
    const address = normalAddress(text)
    return address === undefined ? undefined : networkOf(address)
  }, 1000)
  const clientOf = createReader(trustedProxies, read)
  return (head) => clientOf(head) ?? (isReset(head) ? 'reset' : undefined)
}

/**
 * Whether the client has reset the connection, which then has no address unless it was read before. A host begins no such request:
 * its client would have a second share beside its own.
 */
export function isReset({ raw }: Pick<RequestHead, 'raw'>): boolean {
  const { remoteAddress, localAddress, destroyed } = (raw as NodeRequest | undefined)?.socket ?? {}
  return remoteAddress === undefined && Boolean(destroyed || localAddress)
}

function createReader(
  trustedProxies: number,
  read: (text: string) => string | undefined,
): (shown: ShownClient) => string | undefined {
  return ({ raw, headers }) => {
    const direct = (raw as NodeRequest | undefined)?.socket?.remoteAddress ?? ''
    if (trustedProxies === 0) return read(direct)
    const entries = (fieldValue(headers, 'x-forwarded-for') ?? '').split(',')
    return read(withoutPort(entries.at(-trustedProxies)?.trim() ?? '')) ?? read(direct)
  }
}

/** The part of an address that identifies a client: all of an IPv4 address, the /64 of an IPv6 address. */
export function networkOf(text: string): string {
  const address = text.includes(':') ? (normalAddress(text) ?? text) : text
  if (!address.includes(':')) return address
  const [front = '', back] = address.split('::')
  const groups = front === '' ? [] : front.split(':')
  if (back !== undefined) {
    const rest = back === '' ? 0 : back.split(':').length
    while (groups.length < Math.min(4, 8 - rest)) groups.push('0')
    if (back !== '') groups.push(...back.split(':'))
  }
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** The canonical form of an address; undefined for anything else. */
function normalAddress(text: string): string | undefined {
  // A client may have written it, and it is parsed for each request.
  if (text.length > longestAddress) return undefined
  const [address = ''] = text.split('%')
  if (anIPv4Address.test(address)) return address
  if (!/^[\da-f:.]+$/i.test(address) || !URL.canParse(`http://[${address}]`)) return undefined
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(short)
  if (mapped === null) return short
  const [high, low] = [mapped[1], mapped[2]].map((group) => Number.parseInt(group ?? '', 16))
  return [Number(high) >> 8, Number(high) & 255, Number(low) >> 8, Number(low) & 255].join('.')
}

/** An IPv6 address that ends as an IPv4 address has at most 45 characters; its zone may follow. */
const longestAddress = 100

const anIPv4Address = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/

/** Some proxies write `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  const [, address = entry] =
    /^\[([^\]]*)\](?::\d+)?$/.exec(entry) ?? /^([\d.]+):\d+$/.exec(entry) ?? []
  return address
}
