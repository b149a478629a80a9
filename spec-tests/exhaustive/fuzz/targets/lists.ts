import { isDeepStrictEqual } from 'node:util'
import { contentCoding } from '../../../../src/http/message.js'
import { splitList } from '../../../../src/http/split-list.js'
import { acceptValue, codingValue } from '../field-values.js'
import { membersOf } from '../references/choose-by-accept.js'
import { smallerLists, smallerTexts } from '../../../fuzz/smaller.js'
import type { Target, Verdict } from '../../../fuzz/target.js'

/** Lines of one field: how lists are split, and which codings they name. */
export function lists(): Target<readonly string[]> {
  return {
    name: 'lists',
    generate: (random) =>
      random.list(3, () => (random.chance(0.5) ? codingValue : acceptValue)(random)),
    check,
    smaller: (lines) => smallerLists(lines, smallerTexts),
    row: (lines) => JSON.stringify(lines),
  }
}

function check(lines: readonly string[]): Verdict {
  const text = lines.join(', ')
  for (const separator of [',', ';'] as const) {
    const [found, right] = [splitList(text, separator), membersOf(text, separator)]
    if (!isDeepStrictEqual(found, right)) {
      return `members: ${JSON.stringify(found)}, not ${JSON.stringify(right)}`
    }
  }
  const headers = lines.flatMap((line) => ['Content-Encoding', line])
  const codings = membersOf(text, ',').map((coding) => coding.toLowerCase())
  const right = codings.filter((coding) => !['', 'identity'].includes(coding)).join(', ')
  const found = contentCoding(headers)
  return (found ?? '') === right ? undefined : `coding: ${found}, not ${right}`
}
