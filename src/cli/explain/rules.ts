import { cutText } from '../../shapes/index.js'
import { toPlainSentence, toPrintableLine } from '../../conformance/reporters/words/printable.js'
import type { Statement, Statements } from '../../conformance/suite/statements.js'

/** A sentence that a step follows, or that an exchange touches. */
export interface Rule extends Pick<Statement, 'level' | 'section'> {
  readonly statement: string
  /** In few words. */
  readonly summary: string
  /** As in the text; our summary if the text has no such sentence. */
  readonly sentence: string
  readonly link: string
}

/** The rules with these ids, as far as the edition has them. */
export function findRules(statements: Statements, ids: readonly string[]): readonly Rule[] {
  return ids.flatMap((id) => statements.get(id) ?? []).map(toRule)
}

export function toRule({ id, level, section, paraphrase, quote, source }: Statement): Rule {
  // Sections of the RFCs have a URL of their own; a draft has only that of its text.
  const [, rfc, number] = /^RFC (\d+) section ([\d.]+)$/.exec(section) ?? []
  const link =
    rfc === undefined ? source : `https://www.rfc-editor.org/rfc/rfc${rfc}.html#section-${number}`
  const sentence = toPlainSentence(quote ?? paraphrase)
  return { statement: id, level, section, summary: paraphrase, sentence, link }
}

/** Untrusted text on one line: without control characters, and cut if it is long. */
export function printable(text: string, most = 160): string {
  return toPrintableLine(cutText(text, most))
}
