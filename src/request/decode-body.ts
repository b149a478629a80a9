import { failure, success, type Outcome } from '../outcome.js'
import { andThen } from '../promise.js'
import type { Refusal } from '../refusal.js'

/** Undoes a coding of content, and stops where the result would be longer than `maxBytes`. */
export type Decoder = (
  bytes: Uint8Array,
  maxBytes: number,
) => Outcome<Uint8Array, DecodeFault> | PromiseLike<Outcome<Uint8Array, DecodeFault>>

/** Why a body could not be decoded. */
export type DecodeFault = 'too-large' | 'broken'

/** Decoders by the name of their coding in lower case, such as `gzip`. */
export interface Decoders {
  readonly [coding: string]: Decoder
}

/** The body as it was before a coding that has a decoder; what it decodes to is bounded like any body. */
export function decodeBody(
  bytes: Uint8Array,
  coding: string,
  { decoders, maxBodyBytes: limit }: { readonly decoders: Decoders; readonly maxBodyBytes: number },
): Outcome<Uint8Array, Refusal> | Promise<Outcome<Uint8Array, Refusal>> {
  const tooLarge = failure<Refusal>({ kind: 'body-too-large', limit })
  if (bytes.byteLength > limit) return tooLarge
  const decode = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined
  if (decode === undefined) throw new Error(`The head let the coding ${coding} pass.`)
  return andThen(decode(bytes, limit), (decoded): Outcome<Uint8Array, Refusal> => {
    if (decoded.ok) return success(decoded.value)
    return decoded.reason === 'broken' ? failure({ kind: 'broken-encoding', coding }) : tooLarge
  })
}
