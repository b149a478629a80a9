import { tooLong } from '../../graphql/errors/too-long.js'

/** Throws if a response is longer than `maxResponseBytes`, which is a bug of the schema. */
export function checkLength(
  body: string,
  operationName: string | undefined,
  { maxResponseBytes }: { readonly maxResponseBytes: number },
): void {
  if (!isLonger(body, maxResponseBytes)) return
  throw tooLong(operationName, maxResponseBytes)
}

/** Whether a text has more bytes of UTF-8; they are counted only if it is long enough. */
function isLonger(text: string, maxBytes: number): boolean {
  if (text.length * 3 <= maxBytes) return false
  return text.length > maxBytes || new TextEncoder().encode(text).byteLength > maxBytes
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
