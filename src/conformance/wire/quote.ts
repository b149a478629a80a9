import { cutText } from '../../base/cut-text.js'

/** Text of the target within a message: its beginning, quoted. */
export function quote(text: string): string {
  return JSON.stringify(cutText(text, 200))
}
