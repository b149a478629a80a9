import { extname } from 'node:path'
import type { Outcome } from '../../index.js'
import type { Terminal } from '../arguments/define-command.js'
import type { FlagValues } from '../arguments/flag.js'
import { fail, orUnreachable, type CliError } from '../process/cli-error.js'
import { exitCodes } from '../process/exit-codes.js'
import { isSchemaFile } from '../serve/flags/plan.js'
import { formatExchange, formatRoad, formatTopic } from './format.js'
import { readCurlRequest, type CurlRequest } from './curl-request.js'
import type { ExplainFlags } from './explain-flags.js'
import { missingCodes } from './codes.js'
import { explainCode, explainStatus, suggestTopic } from './explain-topic.js'
import { openRules } from './rules.js'

type ExplainFlagValues = FlagValues<ExplainFlags>

/** Explains what the first word names: a status, a code, a URL or a schema. */
export async function runExplain(
  flags: ExplainFlagValues,
  words: readonly string[],
  terminal: Terminal,
): Promise<Outcome<number, CliError>> {
  if (flags.standard.value) return explainRoad(flags, [], words, terminal)
  const [subject, ...rest] = words
  if (subject === undefined) {
    return fail('usage', 'explain requires a schema file, a URL, a status or a code.')
  }
  if (subject === 'curl') return explainUrl(flags, undefined, rest, terminal)
  if (/^https?:\/\//i.test(subject)) return explainUrl(flags, subject, rest, terminal)
  if (isSchemaFile(subject)) return explainRoad(flags, [subject], rest, terminal)
  if (rest.length > 0 || extname(subject) !== '') {
    return fail(
      'usage',
      `${JSON.stringify(subject)} is neither a schema file nor a URL, to which a request could be sent.`,
    )
  }
  return explainTopic(flags, subject, terminal)
}

function explainTopic(
  { edition, json }: ExplainFlagValues,
  name: string,
  terminal: Terminal,
): Outcome<number, CliError> {
  const rules = openRules(edition.value)
  const isStatus = /^\d+$/.test(name)
  const topic = isStatus ? explainStatus(Number(name), rules) : explainCode(name, rules)
  if (topic === undefined) {
    const what = isStatus
      ? `graphwire never sends the status ${name}`
      : `No error has the code ${JSON.stringify(name)}`
    return fail('usage', `${what}.${suggestTopic(name)}${missingCodes}`)
  }
  terminal.out(json.value ? toJson(topic) : formatTopic(topic))
  return ok
}

async function explainRoad(
  flags: ExplainFlagValues,
  files: readonly string[],
  words: readonly string[],
  terminal: Terminal,
): Promise<Outcome<number, CliError>> {
  const request = await readCurlRequest(words)
  if (!request.ok) return request
  const { walkRoad } = await import('./walk-road.js')
  const { describeRoad } = await import('./describe-road.js')
  const walk = await walkRoad(flags, files, request.value, terminal.env)
  if (!walk.ok) return walk
  const road = describeRoad(walk.value)
  terminal.out(flags.json.value ? toJson(road) : formatRoad(road))
  return ok
}

async function explainUrl(
  { edition, insecure, timeout, json }: ExplainFlagValues,
  subject: string | undefined,
  words: readonly string[],
  terminal: Terminal,
): Promise<Outcome<number, CliError>> {
  const request = await readCurlRequest(words)
  if (!request.ok) return request
  const url = urlOf(request.value, subject)
  if (url === undefined) {
    return fail(
      'usage',
      'explain requires the URL of a server, such as http://localhost:4000/graphql.',
    )
  }
  const { explainExchange } = await import('./explain-exchange.js')
  const options = { edition: edition.value, insecure: insecure.value, timeout: timeout.value }
  const asked = await orUnreachable(explainExchange(request.value, url, options))
  if (!asked.ok) return asked
  const explained = asked.value
  terminal.out(json.value ? toJson(explained) : formatExchange(explained))
  const isBroken =
    explained.status === undefined || explained.touched.some(({ verdict }) => verdict === 'fail')
  return { ok: true, value: exitCodes[isBroken ? 'findings' : 'ok'].code }
}

function urlOf({ url }: CurlRequest, subject: string | undefined): URL | undefined {
  const text = url ?? subject
  if (text === undefined || !URL.canParse(text, subject)) return undefined
  const found = new URL(text, subject)
  return found.protocol === 'http:' || found.protocol === 'https:' ? found : undefined
}

function toJson(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}

const ok: Outcome<number, CliError> = { ok: true, value: exitCodes.ok.code }
