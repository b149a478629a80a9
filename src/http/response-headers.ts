import { fieldLines, type HeaderList } from './message.js'

/** Header fields by name, as an embedder writes them. */
export interface HeaderRecord {
  readonly [name: string]: string | readonly string[]
}

/** The extra headers of one answer, set by resolvers and embedders. Names are not case-sensitive. */
export class ResponseHeaders {
  readonly #fields = new Map<string, { readonly name: string; readonly values: string[] }>()

  /** Replaces the field. */
  set(name: string, value: string): void {
    checkField(name, value)
    this.#fields.set(name.toLowerCase(), { name, values: [value] })
  }

  /** Adds a line to the field, as `Set-Cookie` needs it. */
  append(name: string, value: string): void {
    checkField(name, value)
    const key = name.toLowerCase()
    const field = this.#fields.get(key)
    if (field === undefined) this.#fields.set(key, { name, values: [value] })
    else field.values.push(value)
  }

  /** Sets every field of a record. */
  assign(record: HeaderRecord): void {
    for (const [name, value] of Object.entries(record)) {
      const [first, ...more] = typeof value === 'string' ? [value] : value
      if (first !== undefined) this.set(name, first)
      for (const line of more) this.append(name, line)
    }
  }

  /**
   * The base with these fields over it: a field given here replaces the one of the base, but `Vary`
   * grows, since the negotiation of the base still holds.
   */
  mergeInto(base: HeaderList): HeaderList {
    const merged: string[] = []
    for (const [name, value] of fieldLines(base)) {
      const key = name.toLowerCase()
      if (key === 'vary' || !this.#fields.has(key)) merged.push(name, value)
    }
    for (const { name, values } of this.#fields.values()) {
      for (const value of values) merged.push(name, value)
    }
    return merged
  }
}

const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const fieldContent = /^[\t\x20-\x7e\x80-\xff]*$/

/** The engine decides these by negotiation, and the host by the bytes it writes. */
const reserved = new Set([
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'trailer',
  'connection',
  'keep-alive',
  'proxy-connection',
  'upgrade',
])

function checkField(name: string, value: string): void {
  if (!fieldName.test(name)) throw new TypeError(`Not a header name: ${JSON.stringify(name)}.`)
  if (reserved.has(name.toLowerCase())) {
    throw new TypeError(`The header ${name} is the engine's own and cannot be set.`)
  }
  if (!fieldContent.test(value)) {
    throw new TypeError(`The value of the header ${name} contains a character that HTTP forbids.`)
  }
}
