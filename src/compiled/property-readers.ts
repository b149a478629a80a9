import type { Readable } from './plan.js'

type Reader = (source: Readable) => unknown

let used = 0
const readers = new WeakMap<object, Reader>()

/**
 * Makes the function that reads one property. V8 keeps what it learned of objects with the text of a function:
 * `source[name]` in one shared function has seen objects of every kind, and is slow. So there are copies of its text, and
 * each field of a type gets one, in the order of compiling; that saves 15 % of a list of 500 objects. Each copy is used once
 * in a process; after that, fields share one.
 */
export function readerFor(definition: object, name: string): Reader {
  const made = readers.get(definition)
  if (made !== undefined) return made
  const reader = (copies[used] ?? shared)(name)
  used += 1
  readers.set(definition, reader)
  return reader
}

const shared =
  (name: string): Reader =>
  (source) =>
    source[name]

// oxfmt-ignore
const copies: readonly ((name: string) => Reader)[] = [
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
  (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n], (n) => (s) => s[n],
]
