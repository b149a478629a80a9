/** A field line as it came. */
export type FieldLine = readonly [name: string, value: string]

/** A response as it came over the wire. */
export interface WireResponse {
  readonly status: number
  readonly headers: readonly FieldLine[]
  readonly body: Uint8Array
}

/** What one step sent and what came back. */
export interface Exchange {
  /** The request as text, for people: the head whole, the body as far as it is short. */
  readonly sent: string
  /** The final responses in their order. */
  readonly responses: readonly WireResponse[]
  /** Why no further response came: a time-out, a cut connection, a broken response. */
  readonly failure?: string
  /** Whether the target closed the connection; known of raw exchanges only. */
  readonly connection?: 'open' | 'closed'
}

/** The value of a field, its lines joined by commas; undefined where it is absent. */
export function fieldOf(response: WireResponse, name: string): string | undefined {
  const lines = response.headers.filter(([found]) => found.toLowerCase() === name)
  return lines.length === 0 ? undefined : lines.map(([, value]) => value).join(', ')
}
