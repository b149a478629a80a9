import { tooLong } from '../../graphql/errors/too-long.js'

/** Throws if a response is longer than `maxResponseBytes`, which is a bug of the schema. */
export function checkLength(
  body: string,
  operationName: string | undefined,
  { maxResponseBytes: most }: { readonly maxResponseBytes: number },
): void {
  // A character has at most three bytes of UTF-8: they are counted only if the text is long enough.
  if (body.length * 3 <= most) return
  if (body.length > most || new TextEncoder().encode(body).byteLength > most) {
    throw tooLong(operationName, most)
  }
}

/** The bytes that the results of a batch have left of `maxResponseBytes` together. */
export class LengthBudget {
  readonly #maxBytes: number
  #used = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Throws if a result does not fit; shorter ones may still fit. */
  take(text: string, operationName: string | undefined): void {
    const used = this.#used + new TextEncoder().encode(text).byteLength
    if (used > this.#maxBytes) throw tooLong(operationName, this.#maxBytes)
    this.#used = used
  }
}
