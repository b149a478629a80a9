import { readFileSync } from 'node:fs'
import type { EditionName } from './editions.js'
import type { Level } from './fixture.js'

/** One normative statement of an edition or of an RFC. */
export interface Statement {
  readonly id: string
  readonly level: Level
  readonly binds: 'client' | 'server'
  readonly section: string
  readonly paraphrase: string
  readonly quote?: string
  readonly test: 'universal' | 'standard' | 'configured' | 'untestable'
  readonly how: string
  /** The text it stands in, such as the address of an RFC. */
  readonly source: string
}

/** The statements that bind in an edition, by id: its own, and those of the RFCs. */
export type Statements = ReadonlyMap<string, Statement>

interface StatementFile {
  readonly source: string
  readonly statements: readonly (Omit<Statement, 'source'> & { readonly source?: string })[]
}

/** Reads the statements of an edition from the folder of the fixtures. */
export function readStatements(folder: URL, edition: EditionName): Statements {
  // `next` adds drafts to the newest edition: what it says comes last and wins.
  const editions = edition === 'next' ? ['2026-08', 'next'] : [edition]
  const found = new Map<string, Statement>()
  for (const name of ['rfc', ...editions]) {
    const file = JSON.parse(
      readFileSync(new URL(`statements/${name}.json`, folder), 'utf8'),
    ) as StatementFile
    for (const one of file.statements) found.set(one.id, { source: file.source, ...one })
  }
  return found
}
