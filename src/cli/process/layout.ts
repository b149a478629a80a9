import { leastText, wrapText } from '../../base/prose.js'
import type { Lines } from './terminal.js'

/** A term with its text beside it, or below it if there is little room. */
export function describeTerm(term: string, text: string, width: number, columns: number): Lines {
  const margin = ' '.repeat(width + 3)
  if (columns >= margin.length + 2 * leastText) {
    return wrapText(text, columns, `  ${term.padEnd(width)} `, margin)
  }
  return [`  ${term}`, ...wrapText(text, columns, '      ')]
}

/** What something means, and what to do about it, as far as that is known. */
export function formatAdvice(
  meaning: string | undefined,
  advice: string | undefined,
  columns: number,
  margin: string,
): Lines {
  return [
    ...(meaning === undefined ? [] : wrapText(meaning, columns, margin)),
    ...(advice === undefined ? [] : wrapText(advice, columns, `${margin}-> `, `${margin}   `)),
  ]
}
