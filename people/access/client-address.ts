import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { fieldValue, type RequestHead } from 'graphwire'

/** Tells whose request it is by its address. */
export type AddressReader = (head: RequestHead<IncomingMessage>) => string

/**
 * The address of the socket, or what the outermost trusted proxy says of its own. Each proxy adds the
 * address it was asked from at the end of X-Forwarded-For; what stands before theirs anybody can write.
 */
export function createAddressReader(trustedProxies: number): AddressReader {
  return ({ raw, headers }) => {
    const socket = normalAddress(raw.socket.remoteAddress ?? '') ?? 'local'
    if (trustedProxies === 0) return socket
    const entries = (fieldValue(headers, 'x-forwarded-for') ?? '').split(',')
    return normalAddress(withoutPort(entries.at(-trustedProxies)?.trim() ?? '')) ?? socket
  }
}

/** What of an address is one client: all of IPv4, the network of 64 bits that IPv6 gives to each. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address
  const [front = '', back] = address.split('::')
  const groups = front === '' ? [] : front.split(':')
  if (back !== undefined) {
    const rest = back === '' ? 0 : back.split(':').length
    while (groups.length < Math.min(4, 8 - rest)) groups.push('0')
    if (back !== '') groups.push(...back.split(':'))
  }
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** One way to write each address; undefined for what is none. */
function normalAddress(text: string): string | undefined {
  const [address = ''] = text.split('%')
  const version = isIP(address)
  if (version === 0) return undefined
  if (version === 4) return address
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(short)
  if (mapped === null) return short
  const [high, low] = [mapped[1], mapped[2]].map((group) => Number.parseInt(group ?? '', 16))
  return [Number(high) >> 8, Number(high) & 255, Number(low) >> 8, Number(low) & 255].join('.')
}

/** Some proxies write `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  const [, address = entry] =
    /^\[([^\]]*)\](?::\d+)?$/.exec(entry) ?? /^([\d.]+):\d+$/.exec(entry) ?? []
  return address
}
