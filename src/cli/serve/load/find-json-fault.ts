/** Where a text stops being valid JSON, and what was expected there. */
export interface JsonFault {
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
const token =
  /[[\]{},:]|"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy

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
    const word = match(token, text, offset)
    const next = step(state, word, open)
    if (next === undefined) return { offset, expected: expectations[state] }
    state = next
    offset += word.length
  }
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
