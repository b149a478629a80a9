import { suggest } from '../../shapes/index.js'
import {
  listCases,
  readKnownFailures,
  readTargetFile,
  toTarget,
  type ConformanceOptions,
  type EditionName,
  type FieldLine,
  type TargetFile,
} from '../../conformance/index.js'
import type { Call } from '../arguments/command.js'
import { choose } from '../arguments/flag.js'
import { defaultEdition } from '../../conformance/suite/editions.js'
import { isSelected } from '../../conformance/judge/list-cases.js'
import type { ConformFlags } from './conform-flags.js'
import { readFileAs } from '../process/read-text-file.js'
import { fail, orFail, requiresUrl } from '../process/exit.js'

/** What to run. What happens with the report is up to the flags. */
export interface ConformPlan extends Call<ConformFlags> {
  /** The options of the first run. */
  readonly options: Required<Omit<ConformanceOptions, 'onProgress' | 'signal'>>
  /** The edition of each run; the report is about the first, and shows the others beside it. */
  readonly editions: readonly EditionName[]
}

/** Decides what to run: a flag overrides the target file, and the file overrides the default. */
export async function toConformPlan(call: Call<ConformFlags>): Promise<ConformPlan> {
  const { flags, words } = call
  const { target, 'known-failures': list } = flags
  const file: TargetFile = target.value ? await readFileAs(target.value, readTargetFile) : {}
  const failures = list.value ? await readFileAs(list.value, readKnownFailures) : []
  const inFile = file.edition === undefined ? undefined : [file.edition]
  const editions = [...new Set(choose(flags.edition, inFile))]
  const options = {
    url: await chooseUrl(words, file, flags.list.value),
    edition: editions[0] ?? defaultEdition,
    suites: flags.suite.value,
    cases: flags.case.value,
    standard: choose(flags.standard, file.standard),
    capabilities: file.capabilities ?? [],
    headers: mergeHeaders(file.headers ?? [], flags.header.value),
    knownFailures: new Map([...(file.knownFailures ?? []), ...failures]),
    timeout: choose(flags.timeout, file.timeout),
    concurrency: flags.concurrency.value,
    maxDuration: flags['max-duration'].value,
    insecure: choose(flags.insecure, file.insecure),
  }
  const plan = { ...call, options, editions }
  checkSelection(plan)
  checkCombination(plan)
  return plan
}

async function chooseUrl(words: readonly string[], file: TargetFile, isList: boolean) {
  if (words.length > 1) fail('usage', `conform takes one URL, got ${words.join(', ')}.`)
  const inList = isList ? 'http://localhost/' : undefined
  const url = words[0] ?? file.url ?? inList ?? fail('usage', `conform ${requiresUrl}`)
  return (await orFail('usage', () => toTarget(url))).url
}

function mergeHeaders(inFile: readonly FieldLine[], fromFlags: readonly FieldLine[]) {
  const names = new Set(fromFlags.map(([name]) => name.toLowerCase()))
  return [...inFile.filter(([name]) => !names.has(name.toLowerCase())), ...fromFlags]
}

/** A selection that matches nothing in any of the editions would look like a success. */
function checkSelection({ options: { suites, cases }, editions }: ConformPlan): void {
  const all = editions.flatMap((edition) => listCases({ edition, standard: true }))
  const names = [...new Set(all.map(({ suite }) => suite))]
  const which = `Edition ${editions.join(', ')}`
  const unknownSuite = suites.find((name) => !names.includes(name))
  if (unknownSuite !== undefined) {
    const hint = suggest(unknownSuite, names)
    fail('usage', `${which} has no suite ${unknownSuite}.${hint} It has ${names.join(', ')}.`)
  }
  const unmatched = cases.find((id) => !all.some((one) => isSelected(one, { suites, cases: [id] })))
  if (unmatched === undefined) return
  const ids = all.map(({ id }) => id)
  fail('usage', `${which} has no case ${unmatched}.${suggest(unmatched, ids)}`)
}

/** A list of known failures that is right for one edition is outdated for another. */
function checkCombination({ flags, options, editions }: ConformPlan): void {
  if (editions.length === 1) return
  if (flags.list.value) fail('usage', 'Use --list with one edition.')
  if (flags.reporter.value !== 'html') fail('usage', 'Use several editions with --reporter html.')
  const hasList =
    options.knownFailures.size > 0 || flags['write-known-failures'].value !== undefined
  if (hasList) fail('usage', 'Use a list of known failures with one edition.')
}
