import { extname } from 'node:path'
import type { Call } from '../arguments/command.js'
import { isSchemaFile } from '../serve/flags/plan.js'
import { formatExchange, formatRoad, formatTopic } from './format.js'
import { readCurlRequest, type CurlRequest } from './curl-request.js'
import type { ExplainFlags } from './explain-flags.js'
import { missingCodes } from './codes.js'
import { explainCode, explainStatus, suggestTopic } from './explain-topic.js'
import { readStatements } from '../../conformance/suite/statements.js'
import { fail, requiresUrl, type Exit } from '../process/exit.js'
import { toJson } from '../process/terminal.js'

type ExplainCall = Call<ExplainFlags>

/** Explains what the first word names: a status, a code, a URL or a schema. */
export async function runExplain(call: ExplainCall): Promise<Exit> {
  const { flags, words } = call
  if (flags.standard.value) return explainRoad(call, [], words)
  const [subject, ...rest] = words
  if (subject === undefined) {
    fail('usage', 'explain requires a schema file, a URL, a status or a code.')
  }
  if (subject === 'curl') return explainUrl(call, undefined, rest)
  if (/^https?:\/\//i.test(subject)) return explainUrl(call, subject, rest)
  if (isSchemaFile(subject)) return explainRoad(call, [subject], rest)
  if (rest.length > 0 || extname(subject) !== '') {
    const expected = 'neither a schema file nor a URL, to which a request could be sent'
    fail('usage', `${JSON.stringify(subject)} is ${expected}.`)
  }
  return explainTopic(call, subject)
}

function explainTopic({ flags, terminal }: ExplainCall, name: string): Exit {
  const statements = readStatements(flags.edition.value)
  const isStatus = /^\d+$/.test(name)
  const topic = isStatus ? explainStatus(Number(name), statements) : explainCode(name, statements)
  if (topic === undefined) {
    const what = isStatus
      ? `graphwire never sends the status ${name}`
      : `No error has the code ${JSON.stringify(name)}`
    return fail('usage', `${what}.${suggestTopic(name)}${missingCodes}`)
  }
  terminal.out(flags.json.value ? toJson(topic) : formatTopic(topic, terminal.stdout))
  return 'ok'
}

async function explainRoad(
  { flags, terminal }: ExplainCall,
  files: readonly string[],
  words: readonly string[],
): Promise<Exit> {
  const request = await readCurlRequest(words)
  const { walkRoad } = await import('./walk-road.js')
  const { describeRoad } = await import('./describe-road.js')
  const road = describeRoad(await walkRoad(flags, files, request, terminal.env))
  terminal.out(flags.json.value ? toJson(road) : formatRoad(road, terminal.stdout))
  return 'ok'
}

async function explainUrl(
  { flags, terminal }: ExplainCall,
  subject: string | undefined,
  words: readonly string[],
): Promise<Exit> {
  const request = await readCurlRequest(words)
  const url = urlOf(request, subject) ?? fail('usage', `explain ${requiresUrl}`)
  const { explainExchange } = await import('./explain-exchange.js')
  const explained = await explainExchange(request, url, flags)
  terminal.out(flags.json.value ? toJson(explained) : formatExchange(explained, terminal.stdout))
  const { touched } = explained
  const isBroken = touched.length === 0 || touched.some(({ verdict }) => verdict === 'fail')
  return isBroken ? 'findings' : 'ok'
}

function urlOf({ url }: CurlRequest, subject: string | undefined): URL | undefined {
  const text = url ?? subject
  if (text === undefined || !URL.canParse(text, subject)) return undefined
  const found = new URL(text, subject)
  return found.protocol === 'http:' || found.protocol === 'https:' ? found : undefined
}
