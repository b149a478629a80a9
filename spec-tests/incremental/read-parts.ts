import type { TestResponse } from '../../src/hosts/testing.js'

/** The body of a response as it would be on the wire. */
export async function bodyOf({ body, stream }: TestResponse): Promise<string> {
  return stream === undefined ? body : await new Response(stream).text()
}

/** The parts in a body, by its type. Throws if a byte is not where it must be. */
export function readParts(type: string, body: string): readonly unknown[] {
  const essence = type.split(';')[0] ?? ''
  const read = readers[essence]
  if (read === undefined) throw new Error(`no parts are in ${type}`)
  return read(body).map((text) => JSON.parse(text) as unknown)
}

const readers: { readonly [type: string]: (body: string) => readonly string[] } = {
  'multipart/mixed': readMultipart,
  'text/event-stream': readEvents,
  'application/jsonl': (body) => body.split(/(?<=\n)/).map((line) => between('', line, '\n')),
}

const head = '\r\nContent-Type: application/json; charset=utf-8\r\n\r\n'

function readMultipart(body: string): readonly string[] {
  const inside = between('\r\n---', body, '\r\n-----\r\n')
  return inside.split('\r\n---').map((part) => between(head, part, ''))
}

function readEvents(body: string): readonly string[] {
  const inside = between(':\n\n', body, 'event: complete\ndata:\n\n')
  return inside
    .split(/(?<=\n\n)/)
    .filter((event) => event !== ':\n\n')
    .map((event) => between('event: next\ndata: ', event, '\n\n'))
}

function between(start: string, text: string, end: string): string {
  if (text.startsWith(start) && text.endsWith(end))
    return text.slice(start.length, text.length - end.length)
  throw new Error(`${JSON.stringify(text)} is not between ${JSON.stringify([start, end])}`)
}
