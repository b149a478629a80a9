import { mayNestDeeper, nestsDeeper } from '../../../../src/base/json.js'
import { jsonText, jsonWords, requestText } from '../json-text.js'
import { readJson } from '../../conformance/defects/around.js'
import { mutate } from '../mutate.js'
import { createProbe } from '../probe.js'
import type { Random } from '../../../fuzz/random.js'
import { depthOf, expectOfBytes, expectOfDocument } from '../references/expect-json-status.js'
import { createFuzzSchema } from '../schema.js'
import { smallerTexts } from '../../../fuzz/smaller.js'
import type { Target, Verdict } from '../../../fuzz/target.js'

/** Texts of JSON: how deep they nest, against a walk of what JSON.parse gives. */
export function jsonNesting(): Target<string> {
  return {
    name: 'json-nesting',
    generate: (random) =>
      random.chance(0.5)
        ? mutate(random, jsonText(random), jsonWords)
        : random.pick([jsonText, requestText])(random),
    check: (text) => {
      const value = readJson(text)
      if (value === undefined) return undefined
      const depth = depthOf(value)
      const limits = [0, 1, 2, 3, depth - 1, depth].filter((one) => one >= 0)
      const wrong = limits.find(
        (limit) =>
          nestsDeeper(value, limit) !== depth > limit ||
          // It may be wrong to the safe side only.
          (depth > limit && !mayNestDeeper(text, limit)),
      )
      return wrong === undefined ? undefined : `depth: ${depth} levels, asked for ${wrong}`
    },
    smaller: smallerTexts,
  }
}

/** Bodies, byte by byte in latin1: the status that the platform's own decoder and parser foretell. */
export function jsonBodies(): Target<string> {
  const schema = createFuzzSchema()
  const probe = createProbe({ schema })
  const check = async (latin1: string): Promise<Verdict> => {
    const body = Buffer.from(latin1, 'latin1')
    const expected = expectOfBytes(body)
    const allowed =
      'status' in expected ? [expected.status] : expectOfDocument(schema, expected.query)
    const headers = { 'Content-Type': 'application/json' }
    const { answer, fault } = await probe({ headers, body }, allowed)
    return fault ?? faultOfCharacters(latin1, answer.body)
  }
  return {
    name: 'json-bodies',
    generate: (random) => spoilBytes(random, Buffer.from(requestText(random)).toString('latin1')),
    check,
    smaller: smallerTexts,
    row: (latin1) => `Buffer.from(${JSON.stringify(latin1)}, 'latin1')`,
  }
}

/** Strict parsers of JSON refuse half a character; an answer has one only where the request had. */
function faultOfCharacters(latin1: string, answer: string): Verdict {
  const half = /\\u[dD][89a-fA-F]/
  // Behind a second backslash it is text.
  return !half.test(latin1) && half.test(answer.replaceAll('\\\\', ''))
    ? `half: a character is cut in two: ${answer}`
    : undefined
}

// oxfmt-ignore
const brokenBytes = ['\xff', '\xc3', '\xe2\x82', '\xed\xa0\x80', '\xc0\x80', '\xf5\x80\x80\x80', '\xef\xbb\xbf', '\0', '\x80']

function spoilBytes(random: Random, latin1: string): string {
  if (random.chance(0.7)) return latin1
  const at = random.chance(0.2) ? 0 : random.below(latin1.length + 1)
  return latin1.slice(0, at) + random.pick(brokenBytes) + latin1.slice(at + random.below(2))
}
