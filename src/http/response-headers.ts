import type { HeaderList } from './message.js'
import { overlayHeaders } from './overlay-headers.js'

/** Header fields by name; a list has one element for each line. */
export interface HeaderRecord {
  readonly [name: string]: string | readonly string[]
}

/** Additional headers of a response, set by resolvers and hooks. Names are case-insensitive. */
export class ResponseHeaders {
  readonly #fields = new Map<string, { readonly name: string; readonly values: string[] }>()

  /** Sets a field, replacing its earlier values. */
  set(name: string, value: string): void {
    checkField(name, value)
    this.#fields.set(name.toLowerCase(), { name, values: [value] })
  }

  /** Adds a line to a field, as needed for `Set-Cookie`. */
  append(name: string, value: string): void {
    checkField(name, value)
    const key = name.toLowerCase()
    const field = this.#fields.get(key)
    if (field === undefined) this.#fields.set(key, { name, values: [value] })
    else field.values.push(value)
  }

  /** Sets all fields of a record. */
  assign(record: HeaderRecord): void {
    for (const [name, value] of Object.entries(record)) {
      if (!Array.isArray(value)) {
        this.set(name, value as string)
        continue
      }
      const lines = value as readonly string[]
      for (const [at, line] of lines.entries()) {
        if (at === 0) this.set(name, line)
        else this.append(name, line)
      }
    }
  }

  /** Whether a field is set. */
  has(name: string): boolean {
    return this.#fields.has(name.toLowerCase())
  }

  /** The fields as header lines. */
  toLines(): HeaderList {
    return [...this.#fields.values()].flatMap(({ name, values }) =>
      values.flatMap((value) => [name, value]),
    )
  }

  /** Overrides the fields of `base` with these; cookies and `Vary` of both are kept. */
  mergeInto(base: HeaderList): HeaderList {
    return overlayHeaders(base, this.toLines())
  }
}

const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const fieldContent = /^[\t\x20-\x7e\x80-\xff]*$/

/** Content negotiation decides these. */
const negotiated = new Set(['content-type', 'content-encoding'])

/** The host that writes the bytes decides these. */
const ofHost = new Set([
  'content-length',
  'transfer-encoding',
  'trailer',
  'connection',
  'keep-alive',
  'proxy-connection',
  'upgrade',
  'http2-settings',
  'te',
])

function checkField(name: string, value: unknown): void {
  checkLine(name, value)
  if (negotiated.has(name.toLowerCase())) throw managed(name)
}

/**
 * Throws for a line that a response cannot have. JavaScript callers have no types, and what HTTP cannot carry must fail
 * here rather than when the response is sent.
 */
export function checkLine(name: unknown, value: unknown): void {
  if (typeof name !== 'string' || !fieldName.test(name)) {
    throw new TypeError(`Invalid header name: ${describe(name)}.`)
  }
  if (ofHost.has(name.toLowerCase())) throw managed(name)
  if (typeof value !== 'string') {
    const hint = Array.isArray(value) ? ': call append() for each line' : ''
    throw new TypeError(
      `The value of the header ${name} must be a string, not ${describe(value)}${hint}.`,
    )
  }
  if (!fieldContent.test(value)) {
    throw new TypeError(
      `The value of the header ${name} contains a character that HTTP does not allow.`,
    )
  }
}

function managed(name: string): TypeError {
  return new TypeError(`The header ${name} is managed by graphwire and cannot be set.`)
}

function describe(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (Array.isArray(value)) return 'an array'
  return value === null || value === undefined ? String(value) : `of type ${typeof value}`
}
