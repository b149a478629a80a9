/** A field line as it came, its value without the white space around it. */
export type FieldLine = readonly [name: string, value: string]

/** A whole request. */
export interface Request {
  readonly method: string
  readonly path: string
  /** What follows the question mark. */
  readonly query: string
  readonly headers: readonly FieldLine[]
  /** The body in the pieces in which the client framed it. */
  readonly pieces: readonly Buffer[]
}

/** A response; the connection adds what HTTP itself demands. */
export interface Response {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The values of all lines of a field. */
export function linesOf(headers: readonly FieldLine[], name: string): readonly string[] {
  return headers.filter(([found]) => found.toLowerCase() === name).map(([, value]) => value)
}

/** The value of a field, its lines joined; undefined where there is none. */
export function fieldOf(headers: readonly FieldLine[], name: string): string | undefined {
  const lines = linesOf(headers, name)
  return lines.length === 0 ? undefined : lines.join(', ')
}

/** A failure that has nothing to do with GraphQL, for people. */
export function plain(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
    body: text,
  }
}
