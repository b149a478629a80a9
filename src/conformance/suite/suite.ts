import { posix } from 'node:path'
import type { Assertion, CitedAssertion } from './checks.js'
import type { Fixture, FixtureStep } from './fixture.js'
import { isJsonObject, type JsonObject } from '../../base/json.js'
import { suggest } from '../../shapes/suggest.js'
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
}

/** Reads the suite from its folder; throws an Error that names the file and the mistake. */
export function readSuite(folder: URL = fixturesFolder): Suite {
  const fixtures = openFixtures(folder)
  const checks = readJson(fixtures, 'checks.json') as NamedChecks
  /** Which file has an id. */
  const files = new Map<string, string>()
  const readFamily = (path: string, suite: string): readonly Case[] => {
    const family = readJson(fixtures, path)
    if (!Array.isArray(family)) throw new Error(`${path}: expected a list of cases`)
    return (family as readonly WrittenFixture[]).map((written) => {
      const { id } = written
      const other = files.get(id)
      if (other !== undefined) {
        throw new Error(`${path}: the id "${id}" is taken: ${other} has a case with it`)
      }
      files.set(id, path)
      const resolved = inPlace(`${path}, case "${id}"`, () => resolveChecks(written, checks))
      return Object.assign(resolved, { suite })
    })
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

/** The fixture with every name replaced by what it stands for; throws an Error that names the mistake. */
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
    ...(when && { when: mapValues(when, (one) => resolveOne(one, checks, [])) }),
    ...(expect && { expect: resolveAll(expect, checks, []).map(checkCited) }),
  }
}

function checkCited(assertion: CitedAssertion): CitedAssertion {
  if (assertion.statement !== undefined || assertion.info !== undefined) return assertion
  const shown = JSON.stringify(assertion)
  throw new Error(`${shown} in "expect" needs a "statement" that it cites, or "info": true`)
}

/** The assertions that something written stands for; `path` has the names that led to it. */
function resolveAll(
  written: NamedChecks[string],
  checks: NamedChecks,
  path: readonly string[],
): readonly CitedAssertion[] {
  if (isList(written)) return written.flatMap((one) => resolveAll(one, checks, path))
  if (typeof written === 'string') {
    return resolveAll(findCheck(written, checks, path), checks, [...path, written])
  }
  const { check, ...own } = written
  const named = typeof check === 'string' ? resolveOne(check, checks, path) : {}
  const twice = Object.keys(own).find((member) => Object.hasOwn(named, member))
  if (twice !== undefined) {
    throw new Error(`"${twice}" stands both in the check "${String(check)}" and beside it`)
  }
  return [{ ...named, ...mapMembers(own, (inner) => resolveOne(inner, checks, path)) }]
}

function resolveOne(
  written: WrittenAssertion,
  checks: NamedChecks,
  path: readonly string[],
): CitedAssertion {
  if (typeof written !== 'string') return resolveAll(written, checks, path)[0] ?? {}
  const found = findCheck(written, checks, path)
  if (!isList(found)) return resolveOne(found, checks, [...path, written])
  throw new Error(`the check "${written}" is a list, which only "expect" can cite`)
}

function mapMembers(
  own: JsonObject,
  resolve: (inner: WrittenAssertion) => Assertion,
): CitedAssertion {
  return mapValues(own, (value, member) => {
    if (member === 'not' || member === 'when' || member === 'then') {
      return resolve(value as WrittenAssertion)
    }
    if (member === 'oneOf' || member === 'allOf') {
      return (value as readonly WrittenAssertion[]).map(resolve)
    }
    return member === 'by' && isJsonObject(value)
      ? mapValues(value, (inner) => resolve(inner as WrittenAssertion))
      : value
  })
}

function findCheck(
  name: string,
  checks: NamedChecks,
  path: readonly string[],
): NamedChecks[string] {
  if (path.includes(name)) {
    throw new Error(`the checks cite each other in a circle: ${[...path, name].join(' → ')}`)
  }
  const found = Object.hasOwn(checks, name) ? checks[name] : undefined
  if (found !== undefined) return found
  const hint = suggest(name, Object.keys(checks), (near) => `"${near}"`)
  throw new Error(`checks.json has no check "${name}".${hint}`)
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
