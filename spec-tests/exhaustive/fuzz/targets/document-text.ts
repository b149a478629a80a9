import { scanSource } from '../../../../src/graphql/limits/check-limits.js'
import { makeOperation, parseOrNothing } from '../../../fuzz/documents.js'
import { mutate } from '../mutate.js'
import { createProbe } from '../probe.js'
import type { Random } from '../../../fuzz/random.js'
import { lexPrefix } from '../references/lex-prefix.js'
import { createFuzzSchema } from '../schema.js'
import { smallerTexts } from '../../../fuzz/smaller.js'
import type { Target, Verdict } from '../../../fuzz/target.js'

// oxfmt-ignore
const words = [
  ['{', '}', '(', ')', '[', ']', '...', '..', '.', '@', '$', '!', ':', '=', '|', '&', '?', '-', '#'],
  ['"', '""', '"""', '\\"""', '\\', '\\u00e4', '\\u{1F600}', '\\ud83d', '"a"', '"""a"""', '\n', '\r', ','],
  ['query', 'mutation', 'subscription', 'fragment', ' on ', 'null', 'true', 'RED', '1', '-1', '1.5e-3', '0x', '1e'],
  ['__schema', '__type(name: "User")', '__typename', '__proto__', 'constructor', 'toString', 'ticks'],
  ['@include(if: true)', '@skip(if: false)', '@defer', '@stream', '@cost', 'F1', '...F1', '$v0', 'Main'],
  ['query Main($a: Int = 1, $b: [Int!]!)', 'fragment F1 on User { ...F1 }', 'type Query { a: Int }', 'extend '],
  ['{ __schema { types { name } } }', 'nodes(first: 99999)', 'user(id: "1") { id }', 'a: echo', '{{{{{{{{'],
].flat()

/** Texts that are nearly GraphQL: the scanner against the lexer, and a proper answer to each. */
export function documentText(): Target<string> {
  const schema = createFuzzSchema()
  const probes = [
    { probe: createProbe(), isOld: false },
    { probe: createProbe({ introspection: false, edition: '2025-05' }), isOld: true },
  ]
  const check = async (query: string): Promise<Verdict> => {
    const wrong = compareFigures(query)
    if (wrong !== undefined) return wrong
    for (const { probe, isOld } of probes) {
      const { answer, fault } = await probe({ json: { query } }, allowed, { isOld })
      if (fault !== undefined) return fault
      // Too long or too deep comes before what the parser says.
      if (answer.status === 413 || answer.body.includes('LIMIT_EXCEEDED')) continue
      const isSyntax = answer.body.includes('"GRAPHQL_PARSE_FAILED"')
      if ((parseOrNothing(query) === undefined) !== isSyntax) return `syntax: ${answer.body}`
    }
    return undefined
  }
  return {
    name: 'document-text',
    generate: (random) => makeText(random, makeOperation(random, schema).query),
    check,
    smaller: smallerTexts,
  }
}

const allowed = [200, 294, 400, 413, 422]

function makeText(random: Random, valid: string): string {
  const start = random.chance(0.2) ? random.list(6, () => random.pick(words)).join(' ') : valid
  const text = mutate(random, start, words)
  if (!random.chance(0.03)) return text
  // Something said very often: deep, wide and long.
  return text + random.pick([...words, '{a', '[', 'a ', '{a}']).repeat(random.below(4000))
}

/** Of what is whole the figures are the same; before a fault no bracket may go unseen. */
function compareFigures(query: string): Verdict {
  const found = scanSource(query)
  const { isWhole, ...lexed } = lexPrefix(query)
  for (const name of ['maxNumberLength', 'maxNesting', 'maxTokens'] as const) {
    const isExact = isWhole && name !== 'maxNumberLength'
    if (isExact ? found[name] === lexed[name] : found[name] >= lexed[name]) continue
    return `${name}: ${found[name]}, and the lexer sees ${lexed[name]}`
  }
  return undefined
}
