import { cutText } from '../../../base/cut-text.js'
import { toPrintableLine } from '../../../conformance/reporters/words/printable.js'

/** Text of strangers on one line: without control characters, and cut if it is long. */
export function printable(text: string, most = 160): string {
  return toPrintableLine(cutText(text, most))
}
