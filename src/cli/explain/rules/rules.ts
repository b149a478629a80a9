import { fixturesFolder } from '../../../conformance/suite/fixture-files.js'
import {
  readStatements,
  type Statement,
  type Statements,
} from '../../../conformance/suite/statements.js'
import type { EditionName } from '../../../conformance/suite/editions.js'
import type { Level } from '../../../conformance/suite/fixture.js'
import { toPlainSentence } from '../../../conformance/reporters/words/plain-sentence.js'

/** A sentence that a stage follows, or that an exchange touches. */
export interface Rule {
  readonly statement: string
  readonly level: Level
  readonly section: string
  /** In few words. */
  readonly summary: string
  /** As the text has it; our summary if it has none of its own. */
  readonly sentence: string
  readonly link: string
}

/** The rules of an edition by the ids of their statements. */
export interface RuleBook {
  /** Those of the ids that the edition has. */
  find(ids: readonly string[]): readonly Rule[]
  readonly statements: Statements
}

/** Reads the statements of an edition. */
export function openRules(edition: EditionName): RuleBook {
  const statements = readStatements(fixturesFolder, edition)
  return {
    find: (ids) => ids.flatMap((id) => toRule(statements.get(id))),
    statements,
  }
}

function toRule(statement: Statement | undefined): Rule[] {
  if (statement === undefined) return []
  const { id, level, section, paraphrase, quote, source } = statement
  const sentence = toPlainSentence(quote ?? paraphrase)
  return [
    { statement: id, level, section, summary: paraphrase, sentence, link: linkTo(source, section) },
  ]
}

/** Sections of the RFCs have a URL of their own; a draft has only that of its text. */
function linkTo(source: string, section: string): string {
  const [, rfc, number] = /^RFC (\d+) section ([\d.]+)$/.exec(section) ?? []
  if (rfc === undefined) return source
  return `https://www.rfc-editor.org/rfc/rfc${rfc}.html#section-${number}`
}
