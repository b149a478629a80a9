import { toForm, type PlacedFile } from './files.js'

export type Field = readonly [name: string, value: string]

/** A request as it is sent, and as curl would send it. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: readonly Field[]
  /** The body, or of a form with files the field `operations`. */
  readonly json: string
  readonly files: readonly PlacedFile[]
}

export function send(request: SentRequest, signal: AbortSignal | null): Promise<Response> {
  const { method, url, headers, json, files } = request
  const body = files.length === 0 ? json : toForm(json, files)
  return fetch(url, {
    method,
    headers: headers.map(([name, value]) => [name, value]),
    body,
    signal,
  })
}

/** The command that sends the same request in a shell. */
export function toCurl({ method, url, headers, json, files }: SentRequest): string {
  const lines = [`curl -iN ${quote(new URL(url, location.href).href)}`]
  if (method !== 'POST') lines.push(`-X ${method}`)
  for (const [name, value] of headers) lines.push(`-H ${quote(`${name}: ${value}`)}`)
  if (files.length === 0) lines.push(`--data-raw ${quote(json)}`)
  else {
    for (const [name, value] of toForm(json, files)) {
      lines.push(
        typeof value === 'string'
          ? `--form-string ${quote(`${name}=${value}`)}`
          : `-F ${quote(`${name}=@${value.name}`)}`,
      )
    }
  }
  return lines.join(' \\\n  ')
}

/** One word of a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
