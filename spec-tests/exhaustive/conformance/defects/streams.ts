import { isStream, type Flow, type StreamBody } from '../../../../src/http/message.js'
import { header, isMap, readJson, response, type Params } from './around.js'
import type { Layers, Request, Response } from './defect.js'

/** Where the pieces of a stream go. */
export interface Out {
  write(piece: string): void
  end(): void
}

/** What happens to a stream on its way; each is passed on where nothing is said. */
export interface Change {
  readonly write?: (piece: string, out: Out) => void
  readonly end?: (out: Out) => void
  /** The client has left. */
  readonly gone?: (flow: Flow) => void
}

type Test = (type: string, given: Request) => boolean

export const isSse: Test = (type) => type.startsWith('text/event-stream')
export const isParts: Test = (type) => type.startsWith('multipart/mixed')
export const isSubscriptionParts: Test = (type) => type.includes('subscriptionSpec')
export const isIncremental: Test = (type) => /incrementalSpec|deferSpec/.test(type)

/** Changes the streams of some media types, and what is one in a single text. */
export function streams(test: Test, make: (given: Request) => Change): Layers {
  return response((made, given) => {
    if (!test(made.headers['content-type'] ?? '', given)) return undefined
    return { body: changed(made.body, make(given)) }
  })
}

const send = (piece: string, out: Out): void => out.write(piece)

function changed(body: Response['body'], { write = send, end, gone }: Change): StreamBody {
  const own = typeof body === 'object' && isStream(body) ? body : whole(String(body))
  return {
    discard: own.discard,
    open(sink) {
      const out = {
        write: (piece: string) => void (piece === '' || sink.write(piece)),
        end: () => sink.end(),
      }
      const flow = own.open({
        write: (text) => {
          for (const piece of text.split(/(?<=\n\n)(?!$)/)) write(piece, out)
          return true
        },
        end: () => (end ? end(out) : out.end()),
        cut: () => sink.cut(),
      })
      return {
        ...flow,
        resume: () => flow.resume(),
        shutDown: () => flow.shutDown(),
        gone: () => (gone ? gone(flow) : flow.gone()),
      }
    },
  }
}

/** A text as a stream. */
function whole(text: string): StreamBody {
  return {
    discard() {},
    open(sink) {
      sink.write(text)
      sink.end()
      return { resume() {}, gone() {}, shutDown() {} }
    },
  }
}

/** Changes each piece by itself. */
export const pieces = (test: Test, change: (piece: string) => string): Layers =>
  streams(test, () => ({ write: (piece, out) => out.write(change(piece)) }))

export const isLast = (piece: string): boolean =>
  piece.startsWith('event: complete') || piece.startsWith('--')
/** A result, and not a comment, a delimiter or the end. */
export const isResult = (piece: string): boolean =>
  piece.includes('{') && !piece.includes('\r\n\r\n{}\r\n')
const isFirst = (piece: string): boolean => !isResult(piece) && !isLast(piece)

/** Holds results back until the end, and then sends what is made of them. */
export const held = (test: Test, change: (results: readonly string[]) => readonly string[]) =>
  streams(test, () => {
    const results: string[] = []
    return {
      write(piece, out) {
        if (isResult(piece)) results.push(piece)
        else if (isFirst(piece)) out.write(piece)
        else out.write([...change(results), piece].join(''))
      },
    }
  })

/** Sends nothing before the end. */
export const buffered = (test: Test): Layers =>
  streams(test, () => {
    let all = ''
    return {
      write: (piece) => void (all += piece),
      end(out) {
        out.write(all)
        out.end()
      },
    }
  })

export const staysOpen = (test: Test): Layers => streams(test, () => ({ end: () => {} }))
export const keepsSource = (test: Test): Layers => streams(test, () => ({ gone: () => {} }))

/** The JSON of a piece. */
export const jsonOf = (piece: string): Params => {
  const read = readJson(/\{.*\}/s.exec(piece)?.[0] ?? '')
  return isMap(read) ? read : {}
}

/** Changes the JSON of each piece. */
export const json = (test: Test, make: () => (read: Params, at: number) => unknown): Layers =>
  streams(test, () => {
    const change = make()
    let at = 0
    const next = (piece: string) => withJson(piece, change(jsonOf(piece), at++))
    return { write: (piece, out) => out.write(isResult(piece) ? next(piece) : piece) }
  })

export const withJson = (piece: string, value: unknown, indent?: number): string =>
  piece.replace(/\{.*\}/s, () => JSON.stringify(value, null, indent))

const payloadOf = (piece: string): Params => {
  const read = jsonOf(piece)
  return isMap(read['payload']) ? read['payload'] : read
}

const hasErrors = (piece: string): boolean => isResult(piece) && 'errors' in payloadOf(piece)
/** What a source that fails gets. */
export const isFailure = (piece: string): boolean =>
  hasErrors(piece) && !('data' in payloadOf(piece))

/** A field error ends the stream. */
export const endsAtFieldError = (test: Test, last: string): Layers =>
  streams(test, () => {
    let isOver = false
    return {
      write(piece, out) {
        if (isOver) return
        out.write(piece)
        if (!hasErrors(piece)) return
        isOver = true
        out.write(last)
        out.end()
      },
      end: (out) => isOver || out.end(),
    }
  })

/** Behind the failure of a source nothing comes. */
export const hangsAtFailure = (test: Test): Layers =>
  streams(test, () => {
    let isFailed = false
    return {
      write(piece, out) {
        isFailed ||= isFailure(piece)
        if (!isFailed) out.write(piece)
      },
      end: (out) => isFailed || out.end(),
    }
  })

/** Sends each delimiter in front of the part behind it. */
export const late = (test: Test, delimiter: string): Layers =>
  streams(test, () => {
    let before = ''
    return {
      write(piece, out) {
        const isBehind = piece.endsWith(delimiter)
        out.write(before + (isBehind ? piece.slice(0, -delimiter.length) : piece))
        before = isBehind ? delimiter : ''
      },
    }
  })

export const type = (change: (type: string) => string): Layers =>
  header('content-type', (value) => value && change(value))
