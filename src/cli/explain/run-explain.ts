import { extname } from 'node:path'
import type { Call } from '../arguments/define-command.js'
import { isSchemaFile } from '../serve/flags/plan.js'
import { formatExchange, formatRoad, formatTopic } from './format.js'
import { readCurlRequest, type CurlRequest } from './curl-request.js'
import type { ExplainFlags } from './explain-flags.js'
import { missingCodes } from './codes.js'
import { explainCode, explainStatus, suggestTopic } from './explain-topic.js'
import { openRules } from './rules.js'
import { exit, fail, requiresUrl, type CliOutcome } from '../process/outcome.js'
import { toJson } from '../process/terminal.js'

type ExplainCall = Call<ExplainFlags>

/** Explains what the first word names: a status, a code, a URL or a schema. */
export async function runExplain(call: ExplainCall): Promise<CliOutcome> {
  const { flags, words } = call
  if (flags.standard.value) return explainRoad(call, [], words)
  const [subject, ...rest] = words
  if (subject === undefined) {
    return fail('usage', 'explain requires a schema file, a URL, a status or a code.')
  }
  if (subject === 'curl') return explainUrl(call, undefined, rest)
  if (/^https?:\/\//i.test(subject)) return explainUrl(call, subject, rest)
  if (isSchemaFile(subject)) return explainRoad(call, [subject], rest)
  if (rest.length > 0 || extname(subject) !== '') {
    const expected = 'neither a schema file nor a URL, to which a request could be sent'
    return fail('usage', `${JSON.stringify(subject)} is ${expected}.`)
  }
  return explainTopic(call, subject)
}

function explainTopic({ flags, terminal }: ExplainCall, name: string): CliOutcome {
  const rules = openRules(flags.edition.value)
  const isStatus = /^\d+$/.test(name)
  const topic = isStatus ? explainStatus(Number(name), rules) : explainCode(name, rules)
  if (topic === undefined) {
    const what = isStatus
      ? `graphwire never sends the status ${name}`
      : `No error has the code ${JSON.stringify(name)}`
    return fail('usage', `${what}.${suggestTopic(name)}${missingCodes}`)
  }
  terminal.out(flags.json.value ? toJson(topic) : formatTopic(topic, terminal.stdout))
  return exit('ok')
}

async function explainRoad(call: ExplainCall, files: readonly string[], words: readonly string[]) {
  const { flags, terminal } = call
  const request = await readCurlRequest(words)
  if (!request.ok) return request
  const { walkRoad } = await import('./walk-road.js')
  const { describeRoad } = await import('./describe-road.js')
  const walk = await walkRoad(flags, files, request.value, terminal.env)
  if (!walk.ok) return walk
  const road = describeRoad(walk.value)
  terminal.out(flags.json.value ? toJson(road) : formatRoad(road, terminal.stdout))
  return exit('ok')
}

async function explainUrl(
  { flags, terminal }: ExplainCall,
  subject: string | undefined,
  words: readonly string[],
): Promise<CliOutcome> {
  const request = await readCurlRequest(words)
  if (!request.ok) return request
  const url = urlOf(request.value, subject)
  if (url === undefined) return fail('usage', `explain ${requiresUrl}`)
  const { explainExchange } = await import('./explain-exchange.js')
  const asked = await explainExchange(request.value, url, flags)
  if (!asked.ok) return asked
  const explained = asked.value
  terminal.out(flags.json.value ? toJson(explained) : formatExchange(explained, terminal.stdout))
  const { touched } = explained
  const isBroken = touched.length === 0 || touched.some(({ verdict }) => verdict === 'fail')
  return exit(isBroken ? 'findings' : 'ok')
}

function urlOf({ url }: CurlRequest, subject: string | undefined): URL | undefined {
  const text = url ?? subject
  if (text === undefined || !URL.canParse(text, subject)) return undefined
  const found = new URL(text, subject)
  return found.protocol === 'http:' || found.protocol === 'https:' ? found : undefined
}
