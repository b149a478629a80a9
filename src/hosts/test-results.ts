/** A response, as far as its results are read of it. */
interface ResponseWithResults {
  readonly headers: Headers
  readonly body: string
  readonly stream: ReadableStream<Uint8Array> | undefined
}

/** How a body is divided into pieces, and which text of a piece is JSON. */
interface ResultReader {
  readonly delimiter: string | undefined
  readonly textOf: (piece: string) => string | undefined
}

/** The results in a response, as they come: events, parts, or the only one. */
export async function* readResults<Result>({
  headers,
  body,
  stream,
}: ResponseWithResults): AsyncGenerator<Result, void, undefined> {
  const { delimiter, textOf } = readerFor(headers.get('content-type') ?? '')
  const decoder = new TextDecoder()
  let rest = body
  for await (const chunk of stream ?? []) {
    rest += decoder.decode(chunk, { stream: true })
    const pieces = delimiter === undefined ? [rest] : rest.split(delimiter)
    rest = pieces.pop() ?? ''
    for (const piece of pieces) yield* toResult<Result>(textOf(piece))
  }
  const pieces = delimiter === undefined ? [rest] : rest.split(delimiter)
  for (const piece of pieces) yield* toResult<Result>(textOf(piece))
}

function readerFor(contentType: string): ResultReader {
  const [, type = ''] = /^([^;\s]+)/.exec(contentType) ?? []
  if (type === 'text/event-stream') {
    return { delimiter: '\n\n', textOf: (piece) => /^data: ?(.+)$/m.exec(piece)?.[1] }
  }
  if (type === 'multipart/mixed') {
    const boundary = /boundary="?([^";]+)/.exec(contentType)?.[1] ?? '-'
    return { delimiter: `\r\n--${boundary}`, textOf: (piece) => piece.split('\r\n\r\n')[1] }
  }
  return { delimiter: type === 'application/jsonl' ? '\n' : undefined, textOf: (piece) => piece }
}

/** Multipart has events in `payload`, with other errors than those of the operation beside it, and an empty object to keep the connection open. */
function* toResult<Result>(text: string | undefined): Generator<Result> {
  if (text === undefined || text.trim() === '') return
  const json = JSON.parse(text) as { readonly payload?: unknown; readonly errors?: unknown }
  if (typeof json !== 'object' || json === null || !('payload' in json)) {
    if (text !== '{}') yield json as Result
  } else yield (json.payload ?? { errors: json.errors }) as Result
}
