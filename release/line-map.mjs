import { SourceMap } from 'node:module'

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** A source map of lines without columns: all that stack traces need, and a tenth of the bytes. */
export function toLineMap(code, map) {
  const whole = new SourceMap(map)
  const indexes = new Map(map.sources.map((source, index) => [source, index]))
  let last = { index: 0, line: 0 }
  const mappings = code.split('\n').map((text, line) => {
    const segments = []
    let start = 0
    for (let column = text.search(/\S/); column >= 0 && column < text.length; column++) {
      const entry = whole.findEntry(line, column)
      if (entry.generatedLine !== line) continue
      const next = { index: indexes.get(entry.originalSource), line: entry.originalLine }
      if (segments.length > 0 && next.index === last.index && next.line === last.line) continue
      const numbers = [column - start, next.index - last.index, next.line - last.line, 0]
      segments.push(numbers.map(formatNumber).join(''))
      start = column
      last = next
    }
    return segments.join(',')
  })
  return { version: 3, sources: map.sources, names: [], mappings: mappings.join(';') }
}

/** Base 64 VLQ: groups of five bits, the lowest first; the first bit is the sign, a sixth says that more follow. */
function formatNumber(value) {
  let rest = value < 0 ? (-value << 1) | 1 : value << 1
  let text = ''
  do {
    const bits = rest & 31
    rest >>>= 5
    text += digits[rest > 0 ? bits | 32 : bits]
  } while (rest > 0)
  return text
}
