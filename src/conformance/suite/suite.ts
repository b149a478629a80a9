import { posix } from 'node:path'
import type { Assertion, CitedAssertion } from './checks.js'
import type { Fixture, FixtureStep } from './fixture.js'
import { isJsonObject, type JsonObject } from '../../base/json.js'
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
  readonly steps?: readonly WrittenStep[]
  readonly expect?: readonly WrittenAssertion[]
}

interface WrittenStep extends Omit<FixtureStep, 'when' | 'expect'> {
  readonly when?: { readonly [saved: string]: WrittenAssertion }
  readonly expect?: readonly WrittenAssertion[]
}

/** The fixture with every name replaced by what it stands for. */
export function resolveChecks(written: WrittenFixture, checks: NamedChecks): Fixture {
  const { steps, ...rest } = written
  const resolved = steps?.map((step) => resolveStep(step, checks))
  return { ...resolveStep(rest, checks), ...(resolved && { steps: resolved }) }
}

function resolveStep<Step extends Pick<WrittenStep, 'when' | 'expect'>>(
  { when, expect, ...rest }: Step,
  checks: NamedChecks,
) {
  return {
    ...rest,
    ...(when && { when: mapValues(when, (one) => resolveOne(one, checks)) }),
    ...(expect && { expect: resolveAll(expect, checks) }),
  }
}

function resolveAll(written: NamedChecks[string], checks: NamedChecks): readonly CitedAssertion[] {
  if (isList(written)) return written.flatMap((one) => resolveAll(one, checks))
  if (typeof written === 'string') return resolveAll(findCheck(written, checks), checks)
  const { check, ...own } = written
  const named = typeof check === 'string' ? resolveOne(check, checks) : {}
  return [{ ...named, ...mapMembers(own, (inner) => resolveOne(inner, checks)) }]
}

/** For the places where a name stands for one assertion. */
function resolveOne(written: WrittenAssertion, checks: NamedChecks): CitedAssertion {
  return resolveAll(written, checks)[0] ?? {}
}

/** The members that have assertions inside. */
const nesting = new Set(['not', 'when', 'then', 'oneOf', 'allOf', 'by'])

function mapMembers(own: JsonObject, resolve: (inner: WrittenAssertion) => Assertion) {
  return mapValues(own, (value, member) => {
    if (!nesting.has(member)) return value
    if (Array.isArray(value)) return (value as readonly WrittenAssertion[]).map(resolve)
    return member === 'by' && isJsonObject(value)
      ? mapValues(value, (inner) => resolve(inner as WrittenAssertion))
      : resolve(value as WrittenAssertion)
  })
}

function findCheck(name: string, checks: NamedChecks): NamedChecks[string] {
  const found = Object.hasOwn(checks, name) ? checks[name] : undefined
  if (found === undefined) throw new Error(`checks.json has no check "${name}".`)
  return found
}

function isList(found: NamedChecks[string]): found is readonly WrittenAssertion[] {
  return Array.isArray(found)
}

function mapValues<Value, Made>(
  object: { readonly [name: string]: Value },
  map: (value: Value, name: string) => Made,
): { [name: string]: Made } {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value, name)]))
}
