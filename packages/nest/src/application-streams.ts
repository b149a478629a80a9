import type { Handler, HttpResponse } from 'graphwire'

type PieceBody = Extract<HttpResponse['body'], { open: unknown }>
type PieceFlow = ReturnType<PieceBody['open']>

/** The streams of a handler, which Nest's server would otherwise wait for when it closes. */
export class ApplicationStreams {
  readonly #open = new Set<Pick<PieceFlow, 'shutDown'>>()
  #isClosing = false

  /** Wraps a handler so that its streams are noted while they are open. */
  track<Raw>(handler: Handler<Raw>): Handler<Raw> {
    return async (request) => {
      const response = await handler(request)
      const { body } = response
      if (typeof body !== 'object' || !('open' in body)) return response
      return { ...response, body: { ...body, open: (sink) => this.#note(body, sink) } }
    }
  }

  /** Ends them, and those that clients open until the server closes. */
  shutDown(): void {
    this.#isClosing = true
    for (const stream of this.#open) stream.shutDown()
  }

  #note(body: PieceBody, sink: Parameters<PieceBody['open']>[0]): PieceFlow {
    // A stream may end while it is opened.
    const noted = { shutDown() {} }
    this.#open.add(noted)
    const forget = (): void => void this.#open.delete(noted)
    const flow = body.open({
      write: (piece) => sink.write(piece),
      end() {
        forget()
        sink.end()
      },
      cut() {
        forget()
        sink.cut()
      },
    })
    noted.shutDown = () => flow.shutDown()
    if (this.#isClosing) queueMicrotask(() => flow.shutDown())
    return {
      resume: () => flow.resume(),
      shutDown: () => flow.shutDown(),
      gone() {
        forget()
        flow.gone()
      },
    }
  }
}
