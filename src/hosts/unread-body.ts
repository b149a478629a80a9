/** As much of a body is read and dropped, in bytes, and for as long, in ms; the Node hosts have the same defaults. */
const maxBytes = 16 * 1024 * 1024
const maxTime = 3_000

/** What a chunk counts at least, in bytes: small ones cost more to receive than what they hold. */
const leastCost = 1024

/** Workers, where nothing of a request runs once it is answered, and Bun. */
const closing = /^(?:Cloudflare-Workers$|Bun\/)/

/**
 * Whether the runtime closes the connection once the response is out, while the client is still sending. The client
 * would lose the response.
 */
export function closesOnUnread(): boolean {
  const { navigator } = globalThis as { readonly navigator?: { readonly userAgent?: string } }
  return closing.test(navigator?.userAgent ?? '')
}

/** Reads and drops a body that was refused with its head. */
export async function readUnread({ body }: Request): Promise<void> {
  if (body !== null && !body.locked) await readOn(body.getReader())
}

/** Reads and drops what the client is still sending, up to the limits; never rejects. */
export async function readOn(reader: ReadableStreamDefaultReader<unknown>): Promise<void> {
  const cancel = (): void => void reader.cancel().catch(() => undefined)
  const timer = setTimeout(cancel, maxTime)
  try {
    for (let left = maxBytes; left > 0;) {
      const { done, value } = await reader.read()
      if (done) return
      left -= Math.max((value as Partial<Uint8Array>).byteLength ?? 0, leastCost)
    }
    cancel()
  } catch {
    // The client left: nobody waits for the response any more.
  } finally {
    clearTimeout(timer)
  }
}
