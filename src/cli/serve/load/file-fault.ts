import type { GraphQLError } from 'graphql'

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

/** Where a text stops being valid JSON, and what was expected there. */
interface JsonFault {
  readonly offset: number
  readonly expected: string
}

type State = keyof typeof expectations

const expectations = {
  value: 'a value',
  'first item': 'a value or "]"',
  'first name': 'a name in double quotes or "}"',
  name: 'a name in double quotes',
  colon: '":"',
  'next item': '"," or "]"',
  'next member': '"," or "}"',
  end: 'the end of the file',
} as const

const space = /[ \t\n\r]*/y
const token = /[[\]{},:]|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
// A part of bounded length: for a string of megabytes, a single match would overflow the stack.
const partOfString = /(?:[^"\\\p{Cc}]|[\x7f-\x9f]){1,4096}|\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/uy

/**
 * Locates the error in a text that `JSON.parse` has rejected: not every version of V8 says where it is,
 * and none does for a text that ends too early.
 */
export function findJsonFault(text: string): JsonFault {
  const open: ('[' | '{')[] = []
  let state: State = 'value'
  let offset = 0
  for (;;) {
    offset += match(space, text, offset).length
    const word = readString(text, offset) ?? match(token, text, offset)
    const next = step(state, word, open)
    if (next === undefined) return { offset, expected: expectations[state] }
    state = next
    offset += word.length
  }
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

/** The first name that an object has twice, so that only its last value would count, in a text that `JSON.parse` accepts. */
export function findRepeatedName(text: string): Name | undefined {
  for (const found of namesIn(text)) if (found.before.has(found.name)) return found
  return undefined
}

/** Where the name of a member of the outermost object stands; the start of the object if it has no such member. */
export function offsetOfMember(text: string, member: string): number {
  for (const { depth, name, offset } of namesIn(text)) {
    if (depth === 1 && name === member) return offset
  }
  return text.search(/\S/)
}

function* namesIn(text: string): Generator<Name> {
  const mark = /[[\]{}:"]/g
  const open: (Set<string> | undefined)[] = []
  let string = { offset: 0, word: '' }
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const [word] = found
    if (word === '{') open.push(new Set())
    else if (word === '[') open.push(undefined)
    else if (word === '}' || word === ']') open.pop()
    else if (word === '"') {
      string = { offset: found.index, word: readString(text, found.index) ?? word }
      mark.lastIndex = string.offset + string.word.length
    } else {
      const name = JSON.parse(string.word) as string
      const before = open.at(-1) ?? new Set()
      yield { offset: string.offset, name, before, depth: open.length }
      before.add(name)
    }
  }
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

/** The state after a word, or undefined if the word is not allowed here. */
function step(state: State, word: string, open: ('[' | '{')[]): State | undefined {
  switch (state) {
    case 'first item':
      return word === ']' ? close(open) : value(word, open)
    case 'value':
      return value(word, open)
    case 'first name':
      return word === '}' ? close(open) : word.startsWith('"') ? 'colon' : undefined
    case 'name':
      return word.startsWith('"') ? 'colon' : undefined
    case 'colon':
      return word === ':' ? 'value' : undefined
    case 'next item':
      return word === ',' ? 'value' : word === ']' ? close(open) : undefined
    case 'next member':
      return word === ',' ? 'name' : word === '}' ? close(open) : undefined
    case 'end':
      return undefined
  }
}

function value(word: string, open: ('[' | '{')[]): State | undefined {
  if (word === '[' || word === '{') {
    open.push(word)
    return word === '[' ? 'first item' : 'first name'
  }
  return word === '' || /^[\]},:]/.test(word) ? undefined : after(open)
}

function close(open: ('[' | '{')[]): State {
  open.pop()
  return after(open)
}

function after(open: readonly ('[' | '{')[]): State {
  const inside = open.at(-1)
  return inside === undefined ? 'end' : inside === '[' ? 'next item' : 'next member'
}
