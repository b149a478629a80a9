import type { Random } from '../../fuzz/random.js'

/** Characters on which parsers trip: quotes, brackets, ends of lines, the edges of ASCII and Unicode. */
const awkward = '"\'\\,;=/*{}[]()&%+?#:.!@$|~^`<>- \t\n\r\0\u0007\u007f\u0080\u00a0\u00e4\u00ff0a'
  .split('')
  .concat('\ufeff', '\u2028', '\ud83d\ude00', '\u212a')

/** Changes a text in one to four places; words of its language keep it near what is right. */
export function mutate(random: Random, text: string, words: readonly string[]): string {
  let changed = text
  for (let left = 1 + random.below(4); left > 0; left--) changed = change(random, changed, words)
  return changed
}

function change(random: Random, text: string, words: readonly string[]): string {
  const [start, end] = span(random, text)
  const piece = text.slice(start, end)
  switch (random.below(7)) {
    case 0:
      return text.slice(0, start) + text.slice(end)
    case 1:
      return text.slice(0, end) + piece + text.slice(end)
    case 2:
      return text.slice(0, start) + random.pick(awkward) + text.slice(start)
    case 3:
      return text.slice(0, start) + random.pick(awkward) + text.slice(start + 1)
    case 4:
      return text.slice(0, start) + random.pick(words) + text.slice(start)
    case 5:
      return text.slice(0, start) + random.pick(words) + text.slice(end)
    default:
      return random.chance(0.3) ? text.slice(0, end) : piece + text
  }
}

/** Mostly short, so that much of the text stays. */
function span(random: Random, text: string): readonly [start: number, end: number] {
  const start = random.below(text.length + 1)
  const length = random.chance(0.7) ? random.below(4) : random.below(text.length - start + 1)
  return [start, Math.min(text.length, start + length)]
}

/** Changes a text as `mutate` does, in a share of cases. */
export function sometimesMutated(
  random: Random,
  text: string,
  words: readonly string[],
  share: number,
): string {
  return random.chance(share) ? mutate(random, text, words) : text
}
