import { cutText } from '../base/cut-text.js'

const maxShown = 40

/** Formats a value for a message; of objects, only the kind. */
export function showValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(cutText(value, maxShown))
  if (typeof value === 'bigint') return cutText(`${value}n`, maxShown)
  return isSimple(value) ? String(value) : showKind(value)
}

/** The kind of a value, for values that may be secret. */
export function showKind(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  const tag = tagOf(value)
  if (tag === 'Object') return 'an object'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  const kind = cutText(typeof value === 'object' ? tag : typeof value, maxShown)
  return `${/^[aeio]/i.test(kind) ? 'an' : 'a'} ${kind}`
}

/** graphql-js tags its classes, which works across copies of the module, unlike `instanceof`. */
export function tagOf(value: unknown): string {
  if (value === null) return 'null'
  return typeof value === 'object'
    ? Object.prototype.toString.call(value).slice(8, -1)
    : typeof value
}

function isSimple(value: unknown): boolean {
  return value === null || ['undefined', 'boolean', 'number'].includes(typeof value)
}
