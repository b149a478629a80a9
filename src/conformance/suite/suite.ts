import { posix } from 'node:path'
import type { CitedAssertion } from './checks.js'
import type { Fixture } from './fixture.js'
import type { JsonObject } from '../../base/json.js'
import { fixturesFolder, openFixtures, type FixtureFiles } from './fixture-files.js'

/** The required suites in the order in which they run; the optional ones follow. */
const requiredSuites = ['core', 'accept', 'get', 'errors', 'http', 'raw'] as const

/** A case with the suite that its folder names. */
export interface Case extends Fixture {
  readonly suite: string
}

export interface Suite {
  readonly probes: readonly Case[]
  readonly invariants: readonly Case[]
  readonly cases: readonly Case[]
  readonly checks: NamedChecks
}

/** Reads the suite from its folder; throws an Error that names the file and the mistake. */
export function readSuite(folder: URL = fixturesFolder): Suite {
  const fixtures = openFixtures(folder)
  const checks = readJson(fixtures, 'checks.json') as NamedChecks
  const readFamily = (path: string, suite: string): readonly Case[] => {
    const family = readJson(fixtures, path) as readonly WrittenFixture[]
    return family.map((one) =>
      inPlace(`${path}, case "${one.id}"`, () => ({ ...resolveChecks(one, checks), suite })),
    )
  }
  const optional = fixtures.paths.flatMap((path) => /^optional\/[^/]+(?=\/)/.exec(path)?.[0] ?? [])
  const folders = [...requiredSuites, ...new Set(optional.toSorted())]
  return {
    probes: readFamily('probes.json', 'probes'),
    invariants: readFamily('invariants.json', 'invariants'),
    cases: folders.flatMap((name) =>
      fixtures.paths
        .filter((path) => posix.dirname(path) === name && path.endsWith('.json'))
        .flatMap((path) => readFamily(path, posix.basename(name))),
    ),
    checks,
  }
}

function readJson(fixtures: FixtureFiles, path: string): unknown {
  return inPlace(path, () => JSON.parse(fixtures.read(path)) as unknown)
}

/** Names the place in the message of an error. */
function inPlace<Value>(place: string, work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    throw new Error(`${place}: ${(error as Error).message}`, { cause: error })
  }
}

/**
 * Fixtures cite what many of them check by name: a name where an assertion is expected stands for that assertion, `check`
 * adds the members of one to those beside it, and in `expect` a name may also stand for several. Only this file deals with
 * names (fixtures/README.md, "Named checks").
 */
export interface NamedChecks {
  readonly [name: string]: WrittenAssertion | readonly WrittenAssertion[]
}

/** An assertion as a file has it. */
type WrittenAssertion = string | JsonObject

/** A case, a probe or an invariant as a file has it. */
export interface WrittenFixture extends Omit<Fixture, 'steps' | 'expect'> {
  readonly steps?: readonly JsonObject[]
  readonly expect?: readonly WrittenAssertion[]
}

/** The fixture with every name replaced by what it stands for. */
export function resolveChecks(written: WrittenFixture, checks: NamedChecks): Fixture {
  const resolve = (part: unknown): readonly CitedAssertion[] => {
    if (Array.isArray(part)) return part.flatMap(resolve)
    if (typeof part === 'string') return resolve(findCheck(part, checks))
    const { check, ...own } = part as JsonObject
    return [{ ...(check !== undefined && one(check)), ...mapMembers(own, inside) }]
  }
  /** For the places where a name stands for one assertion. */
  const one = (part: unknown): CitedAssertion => resolve(part)[0] ?? {}
  const inside = (value: unknown, name: string): unknown => {
    if (name === 'oneOf' || name === 'allOf') return (value as readonly unknown[]).map(one)
    if (name === 'by') return mapMembers(value as JsonObject, one)
    return name === 'not' || name === 'when' || name === 'then' ? one(value) : value
  }
  const ofFixture = (value: unknown, name: string): unknown => {
    if (name === 'steps')
      return (value as readonly JsonObject[]).map((step) => mapMembers(step, ofFixture))
    if (name === 'when') return mapMembers(value as JsonObject, one)
    return name === 'expect' ? resolve(value) : value
  }
  return mapMembers({ ...written }, ofFixture) as unknown as Fixture
}

function findCheck(name: string, checks: NamedChecks): unknown {
  const found = Object.hasOwn(checks, name) ? checks[name] : undefined
  if (found === undefined) throw new Error(`checks.json has no check "${name}".`)
  return found
}

function mapMembers(
  object: JsonObject,
  map: (value: unknown, name: string) => unknown,
): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value, name)]))
}
