import type { Has } from './defects.js'
import { formatResult } from './format-result.js'
import type { Request } from './message.js'
import type { Answer } from './serve-connection.js'

const maxNesting = 150
const maxWords = 900
const maxWordLength = 9000
const maxSpreads = 500

/** Keeps requests from the server that are small to send and large to work on. */
export function refuseBombs(answer: Answer, has: Has): Answer {
  let isDown = false
  return async (request) => {
    if (isDown) {
      isDown = false
      return undefined
    }
    if (!isBomb(request, has)) return answer(request)
    if (has('bomb-unanswered')) return undefined
    isDown = has('bomb-outlived-by-nobody')
    const errors = [{ message: 'This is more than the server works on.' }]
    return formatResult({ status: has('bomb-500') ? 500 : 400, result: { errors } }, 'graphql', has)
  }
}

/** Looks at the body as text: neither JSON nor GraphQL is parsed before. */
function isBomb({ pieces }: Request, has: Has): boolean {
  const text = Buffer.concat(pieces).toString('utf8')
  const words = text.match(/\w+/g) ?? []
  return (
    words.length > maxWords ||
    words.some((word) => word.length > maxWordLength) ||
    isNestedDeeply(text) ||
    /(?:\bfields\s*\{\s*type\s*\{\s*){3}/.test(text) ||
    (!has('rule-skipped-NoFragmentCyclesRule') && spreadsManyTimes(text))
  )
}

function isNestedDeeply(text: string): boolean {
  let depth = 0
  for (const character of text) {
    if ('{[('.includes(character)) depth++
    if ('}])'.includes(character)) depth--
    if (depth > maxNesting) return true
  }
  return false
}

/** Whether the fragments, put where they are spread, come to more than the limit; a cycle does. */
function spreadsManyTimes(text: string): boolean {
  const [operation = '', ...fragments] = text.split(/\bfragment\s+/)
  const spreadsOf = (part: string): string[] =>
    [...part.matchAll(/\.\.\.\s*(?!on\b)(\w+)/g)].map(([, name = '']) => name)
  const byName = new Map(fragments.map((part) => [/^\w+/.exec(part)?.[0] ?? '', spreadsOf(part)]))
  const waiting = spreadsOf(operation)
  for (let done = 0; done <= maxSpreads; done++) {
    const name = waiting.pop()
    if (name === undefined) return false
    waiting.push(...(byName.get(name) ?? []))
  }
  return true
}
