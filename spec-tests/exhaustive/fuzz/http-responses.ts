import type { SeenResponse } from './fault-of.js'

/** The answers in a stream of bytes, or why they are none. */
export type ReadResponses =
  | { readonly answers: readonly SeenResponse[] }
  | { readonly broken: string }

/** Reads what a server has sent until it closed, strictly: nothing may be left over. */
export function readResponses(bytes: Buffer): ReadResponses {
  const answers: SeenResponse[] = []
  let rest = bytes
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) return { broken: `no end of a head in ${quote(rest)}` }
    const [statusLine = '', ...lines] = rest.toString('latin1', 0, end).split('\r\n')
    const status = Number(/^HTTP\/1\.1 ([1-5]\d\d) [\x20-\x7e]*$/.exec(statusLine)?.[1])
    if (Number.isNaN(status)) return { broken: `no status line: ${quote(rest)}` }
    const headers: string[] = []
    for (const line of lines) {
      const [, name, value] =
        /^([!#$%&'*+.^_`|~\w-]+): ?([\t\x20-\x7e\x80-\xff]*)$/.exec(line) ?? []
      if (name === undefined || value === undefined) return { broken: `no field: ${line}` }
      headers.push(name, value)
    }
    rest = rest.subarray(end + 4)
    if (status < 200) continue
    const at = headers.findIndex((name, place) => place % 2 === 0 && /^content-length$/i.test(name))
    const length = at < 0 ? 0 : Number(headers[at + 1])
    // The answer to HEAD has a length and no body. A body is JSON, a stream of events or a page; a head begins with `H`.
    const size = rest.length > 0 && bodyStarts.includes(rest[0] ?? 0) ? length : 0
    if (rest.length < size) return { broken: `a body of ${rest.length} bytes, not ${size}` }
    if (isEmptyChunked(headers, rest)) rest = rest.subarray(lastChunk.length)
    answers.push({ status, headers, body: rest.toString('utf8', 0, size) })
    rest = rest.subarray(size)
  }
  return { answers }
}

/** How Node ends an answer of its own to a POST without Host. */
function isEmptyChunked(headers: readonly string[], rest: Buffer): boolean {
  return headers.includes('chunked') && rest.indexOf(lastChunk) === 0
}

const lastChunk = '0\r\n\r\n'
const bodyStarts = Buffer.from('{:<')

function quote(bytes: Buffer): string {
  return JSON.stringify(bytes.toString('latin1', 0, 200))
}
