import {
  listCases,
  readKnownFailures,
  readTargetFile,
  toTarget,
  type ConformanceOptions,
  type FieldLine,
  type KnownFailures,
  type ReporterName,
  type TargetFile,
} from '../../conformance/index.js'
import type { Outcome } from '../../index.js'
import { fail, type CliError } from '../cli-error.js'
import type { Given, GivenValues } from '../flag.js'
import { suggest } from '../suggest.js'
import type { ConformFlags } from './flags.js'
import { readFileAs } from './read-file.js'

/** What to run, and what to do with its report. */
export interface ConformPlan {
  readonly options: Required<Omit<ConformanceOptions, 'maxDuration' | 'onProgress' | 'signal'>>
  readonly start: string | undefined
  readonly reporter: ReporterName
  readonly output: string | undefined
  readonly verbose: boolean
}

/** Decides what to run: a flag wins over the target file, and that over the default. */
export async function toPlan(
  given: GivenValues<ConformFlags>,
  positionals: readonly string[],
): Promise<Outcome<ConformPlan, CliError>> {
  const file = await readOptional<TargetFile>(given.target.value, readTargetFile, {})
  if (!file.ok) return file
  const none: KnownFailures = new Map()
  const known = await readOptional(given['known-failures'].value, readKnownFailures, none)
  if (!known.ok) return known
  const url = chooseUrl(positionals, file.value, given.list.value)
  if (!url.ok) return url
  const options = {
    url: url.value,
    edition: choose(given.edition, file.value.edition),
    suites: given.suite.value,
    cases: given.case.value,
    standard: choose(given.standard, file.value.standard),
    capabilities: file.value.capabilities ?? [],
    headers: mergeHeaders(file.value.headers ?? [], given.header.value),
    knownFailures: new Map([...(file.value.knownFailures ?? none), ...known.value]),
    timeout: choose(given.timeout, file.value.timeout),
    concurrency: given.concurrency.value,
    insecure: choose(given.insecure, file.value.insecure),
  }
  const problem = findProblem(options)
  if (problem !== undefined) return fail('usage', problem)
  const { start, reporter, output, verbose } = given
  return {
    ok: true,
    value: {
      options,
      start: start.value,
      reporter: reporter.value,
      output: output.value,
      verbose: verbose.value,
    },
  }
}

async function readOptional<Value>(
  file: string | undefined,
  read: (text: string) => Value,
  none: Value,
): Promise<Outcome<Value, CliError>> {
  return file === undefined ? { ok: true, value: none } : readFileAs(file, read)
}

function choose<Value>({ value, from }: Given<Value>, inFile: Value | undefined): Value {
  return from === undefined ? (inFile ?? value) : value
}

function chooseUrl(
  [url, ...more]: readonly string[],
  file: TargetFile,
  isList: boolean,
): Outcome<string, CliError> {
  if (more.length > 0) {
    return fail('usage', `conform takes one URL, and was given ${[url, ...more].join(', ')}.`)
  }
  const chosen = url ?? file.url ?? (isList ? 'http://localhost/' : undefined)
  if (chosen === undefined) {
    return fail(
      'usage',
      'conform needs the URL of a server, such as http://localhost:4000/graphql.',
    )
  }
  try {
    toTarget(chosen)
    return { ok: true, value: chosen }
  } catch (error) {
    return fail('usage', (error as Error).message)
  }
}

function mergeHeaders(
  inFile: readonly FieldLine[],
  given: readonly FieldLine[],
): readonly FieldLine[] {
  const names = new Set(given.map(([name]) => name.toLowerCase()))
  return [...inFile.filter(([name]) => !names.has(name.toLowerCase())), ...given]
}

/** A selection that takes nothing would look like a success. */
function findProblem({ edition, suites, cases }: ConformPlan['options']): string | undefined {
  const all = listCases({ edition, standard: true })
  const names = [...new Set(all.map(({ suite }) => suite))]
  const wrong = suites.find((name) => !names.includes(name))
  if (wrong !== undefined) {
    return `Edition ${edition} has no suite ${wrong}.${suggest(wrong, names)} It has ${names.join(', ')}.`
  }
  const chosen = listCases({ edition, standard: true, suites, cases })
  const unmatched = cases.find(
    (wanted) => !chosen.some(({ id }) => id === wanted || id.startsWith(`${wanted}.`)),
  )
  if (unmatched === undefined) return undefined
  const ids = all.map(({ id }) => id)
  return `No case of edition ${edition} is called ${unmatched}.${suggest(unmatched, ids)}`
}
