import type { GraphQLError } from 'graphql'
import { showValue } from '../../../shapes/show-value.js'

/** A place in a text, counted from 1. */
export interface Place {
  readonly file: string
  readonly text: string
  readonly line: number
  readonly column: number
}

const maxFaults = 10
const maxWidth = 120

/** An error in the format of compilers: file, line and column, the message, the line and a caret. */
export function formatFault(message: string, places: readonly Place[]): string {
  const [first] = places
  if (first === undefined) return message
  const lines = [`${first.file}:${first.line}:${first.column}: ${message}`]
  for (const place of places) lines.push(...formatLine(place))
  return lines.join('\n')
}

/** Errors of graphql-js, each with its locations, or with `file` if it has none. */
export function formatGraphQLErrors(errors: readonly GraphQLError[], file: string): string {
  const shown = errors.slice(0, maxFaults).map((error) => {
    const places = placesOf(error)
    return places.length === 0 ? `${file}: ${error.message}` : formatFault(error.message, places)
  })
  const more = errors.length - shown.length
  return [...shown, ...(more > 0 ? [`... and ${more} more.`] : [])].join('\n')
}

/** The line and column of an offset. */
export function placeAt(file: string, text: string, offset: number): Place {
  const before = text.slice(0, offset).split(lineEnd)
  return { file, text, line: before.length, column: (before.at(-1) ?? '').length + 1 }
}

function placesOf({ source, locations }: GraphQLError): readonly Place[] {
  if (source === undefined || locations === undefined) return []
  return locations.map(({ line, column }) => ({
    file: source.name,
    text: source.body,
    line,
    column,
  }))
}

const lineEnd = /\r\n|[\n\r]/

function formatLine({ text, line, column }: Place): readonly string[] {
  const whole = text.split(lineEnd)[line - 1] ?? ''
  // A line of generated text can be a megabyte long, so only the part around the error is shown.
  const from = column > maxWidth ? column - maxWidth / 2 : 0
  const shown = whole.slice(from, from + maxWidth)
  const number = String(line)
  // Tabs stay tabs, so that the terminal aligns the caret with the character.
  const indent = whole.slice(from, column - 1).replaceAll(/[^\t]/g, ' ')
  return [` ${number} | ${shown}`, ` ${' '.repeat(number.length)} | ${indent}^`]
}

interface JsonFault {
  readonly offset: number
  readonly message: string
}

/** A name of a member in a JSON text. */
interface Name {
  readonly offset: number
  readonly name: string
  /** The names before it in the same object. */
  readonly before: Set<string>
  /** 1 in the outermost object. */
  readonly depth: number
}

/** What may come next in a JSON text. */
interface Expectation {
  readonly expected: string
  readonly takes?: 'value' | 'name'
  /** A word, and what is expected after it. */
  readonly word?: readonly [word: string, next: keyof typeof grammar]
  readonly end?: ']' | '}'
}

const grammar = {
  value: { expected: 'a value', takes: 'value' },
  firstItem: { expected: 'a value or "]"', takes: 'value', end: ']' },
  nextItem: { expected: '"," or "]"', word: [',', 'value'], end: ']' },
  firstName: { expected: 'a name in double quotes or "}"', takes: 'name', end: '}' },
  name: { expected: 'a name in double quotes', takes: 'name' },
  colon: { expected: '":"', word: [':', 'value'] },
  nextMember: { expected: '"," or "}"', word: [',', 'name'], end: '}' },
  end: { expected: 'the end of the file' },
} as const

const space = /[ \t\n\r]*/y
const token = /[[\]{},:]|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
// A part of bounded length: for a string of megabytes, a single match would overflow the stack.
const partOfString = /(?:[^"\\\p{Cc}]|[\x7f-\x9f]){1,4096}|\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/uy

/** The names of all members, then what is wrong with the text, if anything. */
function* walkJson(text: string): Generator<Name, JsonFault | undefined> {
  /** The names of each open object; undefined for an array. */
  const open: (Set<string> | undefined)[] = []
  let state: keyof typeof grammar = 'value'
  for (let offset = 0; ;) {
    offset += match(space, text, offset).length
    if (state === 'end' && offset === text.length) return undefined
    const { expected, takes, word: separator, end }: Expectation = grammar[state]
    const word = readString(text, offset) ?? match(token, text, offset)
    const isValue = takes === 'value' && word !== '' && !/^[\]},:]/.test(word)
    if (takes === 'name' && word.startsWith('"')) {
      const name = JSON.parse(word) as string
      const before = open.at(-1) ?? new Set()
      yield { offset, name, before, depth: open.length }
      before.add(name)
      state = 'colon'
    } else if (word === separator?.[0]) state = separator[1]
    else if (isValue && (word === '{' || word === '[')) {
      open.push(word === '{' ? new Set() : undefined)
      state = word === '{' ? 'firstName' : 'firstItem'
    } else if (isValue || (end !== undefined && word === end)) {
      if (!isValue) open.pop()
      state = open.length === 0 ? 'end' : open.at(-1) === undefined ? 'nextItem' : 'nextMember'
    } else return { offset, message: `Invalid JSON: expected ${expected}.` }
    offset += word.length
  }
}

/**
 * What is wrong with a JSON text, and where: not every version of V8 says where, and none does for a text that ends
 * too early. It is also a fault if an object has a name twice, since only the last value would count.
 */
export function findJsonFault(text: string): JsonFault | undefined {
  const walk = walkJson(text)
  let repeated: JsonFault | undefined
  for (;;) {
    const { done, value } = walk.next()
    if (done === true) return value ?? repeated
    const { offset, name, before } = value
    if (before.has(name)) {
      repeated ??= { offset, message: `The object has the name ${showValue(name)} twice.` }
    }
  }
}

/** Where the name of a member of the outermost object stands; the start of the object if it has no such member. */
export function offsetOfMember(text: string, member: string): number {
  for (const { depth, name, offset } of walkJson(text)) {
    if (depth === 1 && name === member) return offset
  }
  return text.search(/\S/)
}

/** The string that begins at the offset, with its quotes; undefined if there is none. */
function readString(text: string, offset: number): string | undefined {
  if (text[offset] !== '"') return undefined
  let end = offset + 1
  for (let part = ' '; part !== ''; end += part.length) part = match(partOfString, text, end)
  return text[end] === '"' ? text.slice(offset, end + 1) : undefined
}

function match(pattern: RegExp, text: string, offset: number): string {
  pattern.lastIndex = offset
  return pattern.exec(text)?.[0] ?? ''
}
