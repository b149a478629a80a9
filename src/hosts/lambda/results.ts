import { STATUS_CODES } from 'node:http'
import { fieldsOf, type HeaderList } from '../../http/message.js'
import { reasonPhrases } from '../reason-phrase.js'
import type { Payload } from './events.js'

export interface LambdaResult {
  readonly statusCode: number
  /** For load balancers, which do not add the phrase themselves. */
  readonly statusDescription?: string
  readonly headers?: { readonly [name: string]: string }
  readonly multiValueHeaders?: { readonly [name: string]: string[] }
  /** For payload 2.0, whose headers have one value each. */
  readonly cookies?: string[]
  readonly body: string
  readonly isBase64Encoded: boolean
}

/** Writes a response in the way that the gateway of the event reads. */
export function toResult(
  payload: Payload,
  status: number,
  headers: HeaderList,
  content: string | Uint8Array,
): LambdaResult {
  const isBase64Encoded = typeof content !== 'string'
  const body = isBase64Encoded ? Buffer.from(content).toString('base64') : content
  const result = { statusCode: status, body, isBase64Encoded }
  const statusDescription =
    `${status} ${reasonPhrases[status] ?? STATUS_CODES[status] ?? ''}`.trim()
  const fields = fieldsOf(headers)
  const listed = Object.fromEntries(Array.from(fields.values(), ({ name, lines }) => [name, lines]))
  const cookies = fields.get('set-cookie')?.lines ?? []
  fields.delete('set-cookie')
  // RFC 9110 section 5.3: several lines of a field mean the same as one with commas.
  const joined = Object.fromEntries(
    Array.from(fields.values(), ({ name, lines }) => [name, lines.join(', ')]),
  )
  switch (payload) {
    case 'v2':
      return { ...result, headers: joined, ...(cookies.length > 0 && { cookies }) }
    case 'v1':
      return { ...result, multiValueHeaders: listed }
    case 'balancer-lists':
      return { ...result, statusDescription, multiValueHeaders: listed }
    case 'balancer':
      return { ...result, statusDescription, headers: { ...joined, ...spelled(cookies) } }
  }
}

const letters = Array.from('setcookie')

/**
 * Cookies cannot be joined, and such a load balancer takes one value for each name, but it takes names that differ only
 * in their letters' case for different ones: `set-cookie`, `Set-cookie`, `sEt-cookie` ...
 */
function spelled(cookies: readonly string[]): { [name: string]: string } {
  return Object.fromEntries(
    cookies.slice(0, 2 ** letters.length).map((cookie, at) => {
      const name = letters.map((letter, bit) => ((at >> bit) & 1 ? letter.toUpperCase() : letter))
      return [`${name.slice(0, 3).join('')}-${name.slice(3).join('')}`, cookie]
    }),
  )
}
