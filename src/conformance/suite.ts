import { readdirSync, readFileSync } from 'node:fs'
import type { Fixture } from './fixture.js'

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
export const fixturesFolder: URL = new URL('../../../fixtures/', import.meta.url)

/** Reads the suite from its folder. */
export function readSuite(folder: URL = fixturesFolder): Suite {
  const optional = readdirSync(new URL('optional/', folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted()
  return {
    probes: readFolder(folder, 'probes', 'probes'),
    invariants: readFolder(folder, 'invariants', 'invariants'),
    cases: [
      ...requiredSuites.flatMap((name) => readFolder(folder, name, name)),
      ...optional.flatMap((name) => readFolder(folder, `optional/${name}`, name)),
    ],
  }
}

function readFolder(folder: URL, path: string, suite: string): Case[] {
  const url = new URL(`${path}/`, folder)
  return readdirSync(url)
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .map((name) => Object.assign(readFixture(new URL(name, url)), { suite }))
}

function readFixture(url: URL): Fixture {
  try {
    return JSON.parse(readFileSync(url, 'utf8')) as Fixture
  } catch (error) {
    throw new Error(`${url.pathname} is no fixture: ${(error as Error).message}`, { cause: error })
  }
}
