import { readdirSync, readFileSync } from 'node:fs'
import type { Fixture } from './fixture.js'
import { resolveChecks, type NamedChecks, type WrittenFixture } from './named-checks.js'

/** The required suites in the order in which they run; the optional ones follow. */
const requiredSuites = ['core', 'accept', 'get', 'errors', 'http', 'raw'] as const

/** A case with the suite that its folder names. */
export interface Case extends Fixture {
  readonly suite: string
}

/** Everything that is replayed. */
export interface Suite {
  readonly probes: readonly Case[]
  readonly invariants: readonly Case[]
  readonly cases: readonly Case[]
}

/** Where the fixtures are: beside the source, and in the package. */
export const fixturesFolder: URL = new URL('../../../../fixtures/', import.meta.url)

/** Reads the suite from its folder; throws an Error that names the file and the mistake. */
export function readSuite(folder: URL = fixturesFolder): Suite {
  const checks = readJson(folder, 'checks.json') as NamedChecks
  const source = { folder, checks, files: new Map<string, string>() }
  const optional = readdirSync(new URL('optional/', folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted()
  return {
    probes: readFamily(source, 'probes.json', 'probes'),
    invariants: readFamily(source, 'invariants.json', 'invariants'),
    cases: [
      ...requiredSuites.flatMap((name) => readFolder(source, name, name)),
      ...optional.flatMap((name) => readFolder(source, `optional/${name}`, name)),
    ],
  }
}

interface Source {
  readonly folder: URL
  readonly checks: NamedChecks
  /** Which file has an id. */
  readonly files: Map<string, string>
}

function readFolder(source: Source, path: string, suite: string): Case[] {
  return readdirSync(new URL(`${path}/`, source.folder))
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .flatMap((name) => readFamily(source, `${path}/${name}`, suite))
}

function readFamily({ folder, checks, files }: Source, path: string, suite: string): Case[] {
  const family = readJson(folder, path)
  if (!Array.isArray(family)) throw new Error(`${path}: expected a list of cases`)
  return (family as readonly WrittenFixture[]).map((written) => {
    const { id } = written
    const other = files.get(id)
    if (other !== undefined) {
      throw new Error(`${path}: the id "${id}" is taken: ${other} has a case with it`)
    }
    files.set(id, path)
    return Object.assign(resolveIn(path, written, checks), { suite })
  })
}

function resolveIn(path: string, written: WrittenFixture, checks: NamedChecks): Fixture {
  try {
    return resolveChecks(written, checks)
  } catch (error) {
    throw new Error(`${path}, case "${written.id}": ${(error as Error).message}`, { cause: error })
  }
}

function readJson(folder: URL, path: string): unknown {
  try {
    return JSON.parse(readFileSync(new URL(path, folder), 'utf8'))
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error })
  }
}
