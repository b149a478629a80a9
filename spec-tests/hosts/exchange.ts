/** A request of the suite, as every client of it can send it. */
export interface HostRequest {
  /** Default: POST where there is a body, else GET. */
  readonly method?: string
  /** What follows the path of the endpoint, one character a byte. */
  readonly query?: string
  readonly headers?: { readonly [name: string]: string }
  /** One piece declares its length; a list is sent piece by piece, without a length. */
  readonly body?: string | readonly Uint8Array[]
}

export interface HostResponse {
  readonly status: number
  /** Empty where the protocol has none. */
  readonly statusText: string
  /** Flat: name, value, name, value. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** Sends one request; aborting the signal is what a client does that leaves. */
export type Client = (request: HostRequest, signal?: AbortSignal) => Promise<HostResponse>

/** What a row may need that not every host can do. */
export type Need = 'query-method' | 'raw-body' | 'raw-target' | 'reason-phrase' | 'uploads'

export interface Host {
  readonly send: Client
  readonly lacks: readonly Need[]
  close(): Promise<void>
}

export function linesOf({ headers }: HostResponse, name: string): string[] {
  return headers.filter((_, at) => at % 2 === 1 && headers[at - 1]?.toLowerCase() === name)
}

/** The value of a field, its lines joined; undefined where it is not there. */
export function valueOf(answer: HostResponse, name: string): string | undefined {
  const lines = linesOf(answer, name)
  return lines.length === 0 ? undefined : lines.join(', ')
}

export function jsonOf({ body }: HostResponse): unknown {
  return JSON.parse(body.toString()) as unknown
}

export function methodOf({ method, body }: HostRequest): string {
  return method ?? (body === undefined ? 'GET' : 'POST')
}

/** The headers of a request; a body is JSON unless they say something else. */
export function headersOf({ headers = {}, body }: HostRequest): Record<string, string> {
  return {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(typeof body === 'string' && { 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  }
}

export function piecesOf({ body = [] }: HostRequest): readonly Uint8Array[] {
  return typeof body === 'string' ? [Buffer.from(body)] : body
}
