/** A part of a multipart body. */
export interface Part {
  readonly name?: string
  readonly filename?: string
  readonly type?: string
  readonly content: string
}

export const boundary = 'a-boundary'

/** What every upload of these tests sends. */
export const uploadHeaders = {
  'Content-Type': `multipart/form-data; boundary=${boundary}`,
  'GraphQL-Require-Preflight': '1',
}

/** The first lines of an upload over HTTP/1.1, behind which others may follow. */
export const uploadLines: string = [
  'POST /graphql HTTP/1.1\r\nHost: localhost\r\n',
  ...Object.entries(uploadHeaders).map(([name, value]) => `${name}: ${value}\r\n`),
].join('')

/** The bytes of a part, with the boundary before it. */
export function partOf({ name, filename, type, content }: Part): string {
  const quoted = filename === undefined ? '' : `; filename="${filename}"`
  const named = name === undefined ? '' : `; name="${name}"`
  const typed = type === undefined ? '' : `Content-Type: ${type}\r\n`
  return `--${boundary}\r\nContent-Disposition: form-data${named}${quoted}\r\n${typed}\r\n${content}\r\n`
}

export const end = `--${boundary}--\r\n`

export function multipart(...parts: readonly Part[]): string {
  return parts.map(partOf).join('') + end
}

/** The two parts before the files. */
export function parameters(operations: unknown, map: unknown): readonly Part[] {
  const text = (value: unknown): string =>
    typeof value === 'string' ? value : JSON.stringify(value)
  return [
    { name: 'operations', content: text(operations) },
    { name: 'map', content: text(map) },
  ]
}

export const receive =
  'mutation ($files: [Upload!]!) { receiveFiles(files: $files) { name mediaType size text } }'

/** A request of so many files to one field; the files are to follow, named 0, 1 and so on. */
export function filesFor(query: string, count: number): readonly Part[] {
  const files = Array.from({ length: count }, () => null)
  const map = Object.fromEntries(files.map((_, at) => [String(at), [`variables.files.${at}`]]))
  return parameters({ query, variables: { files } }, map)
}
