import { suggest } from '../../shapes/index.js'
import {
  listCases,
  readKnownFailures,
  readTargetFile,
  toTarget,
  type ConformanceOptions,
  type EditionName,
  type FieldLine,
  type KnownFailures,
  type TargetFile,
} from '../../conformance/index.js'
import type { Call } from '../arguments/define-command.js'
import { choose } from '../arguments/flag.js'
import { defaultEdition } from '../../conformance/suite/editions.js'
import { isSelected } from '../../conformance/judge/list-cases.js'
import type { ConformFlags } from './conform-flags.js'
import { readFileAs } from '../process/read-text-file.js'
import { fail, requiresUrl, type CliOutcome } from '../process/outcome.js'

/** What to run. What happens with the report is up to the flags. */
export interface ConformPlan extends Call<ConformFlags> {
  /** The options of the first run. */
  readonly options: Required<Omit<ConformanceOptions, 'onProgress' | 'signal'>>
  /** The edition of each run; the report is about the first, and shows the others beside it. */
  readonly editions: readonly EditionName[]
}

/** Decides what to run: a flag overrides the target file, and the file overrides the default. */
export async function toConformPlan(call: Call<ConformFlags>): Promise<CliOutcome<ConformPlan>> {
  const { flags, words } = call
  const file = await readOptional<TargetFile>(flags.target.value, readTargetFile, {})
  if (!file.ok) return file
  const none: KnownFailures = new Map()
  const failuresFile = await readOptional(flags['known-failures'].value, readKnownFailures, none)
  if (!failuresFile.ok) return failuresFile
  const url = chooseUrl(words, file.value, flags.list.value)
  if (!url.ok) return url
  const inFile = file.value.edition === undefined ? undefined : [file.value.edition]
  const editions = [...new Set(choose(flags.edition, inFile))]
  const options = {
    url: url.value,
    edition: editions[0] ?? defaultEdition,
    suites: flags.suite.value,
    cases: flags.case.value,
    standard: choose(flags.standard, file.value.standard),
    capabilities: file.value.capabilities ?? [],
    headers: mergeHeaders(file.value.headers ?? [], flags.header.value),
    knownFailures: new Map([...(file.value.knownFailures ?? none), ...failuresFile.value]),
    timeout: choose(flags.timeout, file.value.timeout),
    concurrency: flags.concurrency.value,
    maxDuration: flags['max-duration'].value,
    insecure: choose(flags.insecure, file.value.insecure),
  }
  const plan = { ...call, options, editions }
  const problem = findProblem(plan) ?? findConflict(plan)
  return problem === undefined ? { ok: true, value: plan } : fail('usage', problem)
}

async function readOptional<Value>(
  file: string | undefined,
  read: (text: string) => Value,
  none: Value,
): Promise<CliOutcome<Value>> {
  return file === undefined ? { ok: true, value: none } : readFileAs(file, read)
}

function chooseUrl(
  [url, ...more]: readonly string[],
  file: TargetFile,
  isList: boolean,
): CliOutcome<string> {
  if (more.length > 0) {
    return fail('usage', `conform takes one URL, got ${[url, ...more].join(', ')}.`)
  }
  const targetUrl = url ?? file.url ?? (isList ? 'http://localhost/' : undefined)
  if (targetUrl === undefined) return fail('usage', `conform ${requiresUrl}`)
  try {
    toTarget(targetUrl)
    return { ok: true, value: targetUrl }
  } catch (error) {
    return fail('usage', (error as Error).message)
  }
}

function mergeHeaders(inFile: readonly FieldLine[], fromFlags: readonly FieldLine[]) {
  const names = new Set(fromFlags.map(([name]) => name.toLowerCase()))
  return [...inFile.filter(([name]) => !names.has(name.toLowerCase())), ...fromFlags]
}

/** A selection that matches nothing in any of the editions would look like a success. */
function findProblem({ options: { suites, cases }, editions }: ConformPlan): string | undefined {
  const all = editions.flatMap((edition) => listCases({ edition, standard: true }))
  const names = [...new Set(all.map(({ suite }) => suite))]
  const which = `Edition ${editions.join(', ')}`
  const unknownSuite = suites.find((name) => !names.includes(name))
  if (unknownSuite !== undefined) {
    return `${which} has no suite ${unknownSuite}.${suggest(unknownSuite, names)} It has ${names.join(', ')}.`
  }
  const unmatched = cases.find((id) => !all.some((one) => isSelected(one, { suites, cases: [id] })))
  if (unmatched === undefined) return undefined
  const ids = all.map(({ id }) => id)
  return `${which} has no case ${unmatched}.${suggest(unmatched, ids)}`
}

/** A list of known failures that is right for one edition is outdated for another. */
function findConflict({ flags, options, editions }: ConformPlan): string | undefined {
  if (editions.length === 1) return undefined
  if (flags.list.value) return 'Use --list with one edition.'
  if (flags.reporter.value !== 'html') return 'Use several editions with --reporter html.'
  const hasList =
    options.knownFailures.size > 0 || flags['write-known-failures'].value !== undefined
  return hasList ? 'Use a list of known failures with one edition.' : undefined
}
