import { defaultEdition, type EditionName } from './editions.js'
import { fixturesFolder, openFixtures } from './fixture-files.js'
import type { Level } from './checks.js'
import type { Layer } from './report.js'

/** One normative statement of an edition, of an RFC, or of a streaming protocol. */
export interface Statement {
  readonly id: string
  readonly level: Level
  readonly binds: 'client' | 'server'
  readonly section: string
  readonly paraphrase: string
  readonly quote?: string
  readonly test: 'universal' | 'standard' | 'configured' | 'untestable'
  readonly how: string
  /** The text it is from, or its section if that has a URL. */
  readonly source: string
  /** Whether the edition says it, HTTP itself, or a streaming protocol. */
  readonly layer: Layer
}

/** The statements of an edition by id: its own, those of the RFCs, and those of the streaming protocols. */
export type Statements = ReadonlyMap<string, Statement>

interface StatementFile {
  readonly source: string
  readonly statements: readonly (Omit<Statement, 'source' | 'layer'> & {
    readonly source?: string
    /** The section itself, if the edition has been published. */
    readonly url?: string
  })[]
}

export function readStatements(edition: EditionName): Statements {
  // `next` adds proposals to the newest edition: what it says comes last and wins.
  const editions = edition === 'next' ? [defaultEdition, 'next'] : [edition]
  const fixtures = openFixtures(fixturesFolder)
  const found = new Map<string, Statement>()
  for (const name of ['rfc', 'streaming', ...editions]) {
    const file = JSON.parse(fixtures.read(`statements/${name}.json`)) as StatementFile
    const layer = name === 'rfc' ? 'http' : name === 'streaming' ? 'streaming' : 'edition'
    for (const { url, source = file.source, ...one } of file.statements) {
      found.set(one.id, { ...one, source: url ?? source, layer })
    }
  }
  return found
}
