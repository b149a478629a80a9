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
  const { file, line, column } = first
  return [`${file}:${line}:${column}: ${message}`, ...places.flatMap(formatLine)].join('\n')
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

/** An error of JSON.parse, at the line and column that it names; not every error of V8 names one. */
export function formatJsonError(file: string, text: string, { message }: SyntaxError): string {
  const [, found] = / at position (\d+)/.exec(message) ?? []
  const offset = found ?? (message.includes('end of JSON input') ? text.length : undefined)
  if (offset === undefined) return `${file}: ${message}`
  return formatFault(message, [placeAt(file, text, Number(offset))])
}

export function placeAt(file: string, text: string, offset: number): Place {
  const before = text.slice(0, offset).split(lineEnd)
  return { file, text, line: before.length, column: (before.at(-1) ?? '').length + 1 }
}

function placesOf({ source, locations }: GraphQLError): readonly Place[] {
  if (source === undefined || locations === undefined) return []
  const { name: file, body: text } = source
  return locations.map(({ line, column }) => ({ file, text, line, column }))
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
