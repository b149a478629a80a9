import { mutate } from './mutate.js'
import type { Random } from '../../fuzz/random.js'

// oxfmt-ignore
export const jsonWords: readonly string[] = [
  ['{', '}', '[', ']', '"', ',', ':', '\\', '\\"', '\\\\', '\\u0022', '\\u00', '\\ud800', 'null', 'true', '0'],
  ['-', '-0', '1e999', '01', 'NaN', '"query":', '"variables":', '"__proto__":{}', '"constructor":', '{}', '[]'],
  ['"{"', '"["', '"\\"]"', '\ufeff', '/**/', "'a'", '\u2028', '[[[[', '{"a":{"a":', '"query":"{__typename}"'],
].flat()

// oxfmt-ignore
const strings = ['', 'a', '{ __typename }', '\\"', '\\\\', '[', '}', '\\u0000', '\\ud83d\\ude00', 'ä', '__proto__']

export function jsonText(random: Random, level = 0): string {
  const kind = level > 4 ? random.below(4) : random.below(7)
  const space = random.pick(['', '', '', ' ', '\n'])
  switch (kind) {
    case 0:
      return random.pick(['null', 'true', 'false'])
    case 1:
      return random.pick(['0', '-0', '1', '1e3', '1e999', '123456789012345678901', '-1.5E-7'])
    case 2:
    case 3:
      return `"${random.pick(strings)}"`
    case 4:
      return `[${random.list(4, () => jsonText(random, level + 1)).join(`,${space}`)}${space}]`
    default:
      return `{${random.list(4, () => `"${random.pick(strings)}":${space}${jsonText(random, level + 1)}`).join()}}`
  }
}

/** The text of a request's JSON: right, nearly right, or anything. */
export function requestText(random: Random): string {
  const both = 'query A { __typename } query B { user(id: 1) { id } }'
  const documents = ['{ __typename }', '{', '{ nope }', both]
  const names = ['null', '"A"', '"B"', '""', '"toString"']
  const echo = 'query($text: String, $list: [Int!]) { echo(text: $text, list: $list) }'
  const members = [
    () => `"query":${JSON.stringify(random.pick([...documents, echo, echo]))}`,
    () => `"variables":${random.chance(0.5) ? variables(random) : jsonText(random)}`,
    () => `"operationName":${random.pick([...names, jsonText(random)])}`,
    () => `"extensions":${jsonText(random)}`,
    () => `"${random.pick(strings)}":${jsonText(random)}`,
  ]
  const given = random.chance(0.8) ? [members[0]!()] : []
  const text = `{${[...given, ...random.list(3, () => random.pick(members)())].join()}}`
  if (random.chance(0.1)) return deep(random)
  if (random.chance(0.1)) return jsonText(random)
  return random.chance(0.4) ? mutate(random, text, jsonWords) : text
}

function variables(random: Random): string {
  // Long enough to be cut where a message repeats it.
  const long = `"${'a'.repeat(random.below(200))}${'😀'.repeat(40)}"`
  if (random.chance(0.05)) return `{"list":[${long}]}`
  // oxfmt-ignore
  const text = random.pick(['"a"', '"\\ud800"', '"\\u0000"', '1', 'null', '"ä😀"', '{"__proto__":1}'])
  return `{"text":${text},"list":${random.pick(['[1]', '1', '[null]', '["a"]', '[]', jsonText(random)])}}`
}

/** Brackets around the limit of nesting, in strings and outside. */
function deep(random: Random): string {
  const levels = 120 + random.below(16)
  // oxfmt-ignore
  const [open, close] = random.pick([
    ['[',         ']'],
    ['{"a":',     '}'],
    ['["[",',     ']'],
    ['[{"\\"[":', '}]'],
  ] as const)
  const times = open.includes('{"\\"') ? Math.floor(levels / 2) : levels
  const value = `${open.repeat(times)}0${close.repeat(times)}`
  return random.chance(0.5) ? value : `{"query":"{__typename}","variables":{"text":${value}}}`
}
