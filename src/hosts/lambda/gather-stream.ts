import type { Flow, StreamBody } from '../../http/message.js'

/** A function returns 6 MiB at most, escapes included. */
const maxLength = 2 * 1024 * 1024

/**
 * The pieces of a stream as one text, since the gateway sends a response only when it is complete. A stream that is
 * still open at the end of the time is ended as on a server that shuts down, so that its clients connect again.
 * Undefined if it was cut.
 */
export function gatherStream(body: StreamBody, time: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = ''
    let isOver = false
    const finish = (result: string | undefined): void => {
      isOver = true
      clearTimeout(timer)
      resolve(result)
    }
    const timer = setTimeout(() => flow?.shutDown(), Math.max(0, time))
    const flow: Flow | undefined = body.open({
      write(piece) {
        if (isOver) return true
        text += piece
        // The rest waits for `resume`, which never comes.
        if (text.length <= maxLength) return true
        queueMicrotask(() => flow?.shutDown())
        return false
      },
      end: () => finish(text),
      cut: () => finish(undefined),
    })
  })
}
