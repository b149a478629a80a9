import type { Flow, StreamBody } from '../http/message.js'

const utf8 = new TextEncoder()

/** A web stream. At most one unread piece waits in its queue. */
export function toReadableStream(
  body: StreamBody,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  let flow: Flow | undefined
  let isOver = false
  let stopWatching: (() => void) | undefined
  const over = (): void => {
    isOver = true
    stopWatching?.()
  }
  const gone = (): void => {
    if (isOver) return
    over()
    flow?.gone()
  }
  return new ReadableStream<Uint8Array>({
    start(controller) {
      // Not every runtime cancels the stream when its client disconnects, and code that still reads must not wait.
      stopWatching = onceAborted(signal, () => {
        gone()
        // Later than runtimes that cancel it: Deno would print the error of a stream without a reader.
        setTimeout(() => controller.error(signal?.reason), 0)
      })
      if (isOver) return body.discard()
      flow = body.open({
        write(piece) {
          if (isOver) return true
          controller.enqueue(utf8.encode(piece))
          return (controller.desiredSize ?? 0) > 0
        },
        end() {
          if (isOver) return
          over()
          controller.close()
        },
        cut() {
          if (isOver) return
          over()
          controller.error(new Error('The stream was cut.'))
        },
      })
      // It may have ended while it was opened.
      if (isOver) flow.gone()
    },
    pull: () => flow?.resume(),
    cancel: gone,
  })
}

/**
 * Calls a listener when the signal fires, or at once if it has. Returns the function that removes it. Not every runtime
 * provides a signal.
 */
export function onceAborted(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal?.aborted) listener()
  else signal?.addEventListener('abort', listener, { once: true })
  return () => signal?.removeEventListener('abort', listener)
}
