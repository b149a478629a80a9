import type { Dispatcher } from 'undici'
import { check } from './check.js'
import type { EditionName } from './editions.js'
import type { Exchange, FieldLine } from './exchange.js'
import { fill, type TemplateValues } from './fill.js'
import type { HeaderLines, Step } from './fixture.js'
import { judge, type Finding } from './judge.js'
import { sendRaw } from './send-raw.js'
import { sendRequest } from './send-request.js'
import type { Statements } from './statements.js'
import type { Target } from './target.js'
import { toWireRequest, type WireRequest } from './to-wire-request.js'

/** What every step of a run needs. */
export interface Wire {
  readonly target: Target
  readonly dispatcher: Dispatcher
  readonly edition: EditionName
  readonly statements: Statements
  readonly timeout: number
  readonly insecure: boolean
  /** Headers that the user wants on every request. */
  readonly headers: readonly FieldLine[]
}

/** What a step came to. */
export interface StepOutcome {
  readonly exchange: Exchange
  readonly findings: readonly Finding[]
}

/** Does the steps one after the other, until the condition of one does not hold. */
export async function runSteps(
  steps: readonly Step[],
  wire: Wire,
  values: TemplateValues,
  getHeaders: HeaderLines = {},
): Promise<readonly StepOutcome[]> {
  const saved = new Map<string, Exchange>()
  const outcomes: StepOutcome[] = []
  for (const one of steps) {
    const known = { ...values, ...fieldsOf(saved) }
    if (!conditionsHold(fill(one.when ?? {}, known), saved, wire.edition)) break
    const step = fill(one, known)
    if (step.wait !== undefined) await new Promise((done) => setTimeout(done, step.wait))
    if (step.request === undefined && step.raw === undefined) continue
    const exchange = await exchangeOf(step, wire, getHeaders)
    if (step.save !== undefined) saved.set(step.save, exchange)
    const findings = judge(step.expect ?? [], exchange, wire.statements, wire.edition)
    outcomes.push({ exchange, findings })
  }
  return outcomes
}

/** `${NAME.etag}`: a field of a response that a step has saved. */
function fieldsOf(saved: ReadonlyMap<string, Exchange>): TemplateValues {
  const fields = [...saved].flatMap(([name, { responses }]) =>
    (responses.at(-1)?.headers ?? []).map(
      ([field, value]) => [`${name}.${field.toLowerCase()}`, value] as const,
    ),
  )
  return Object.fromEntries(fields)
}

function conditionsHold(
  conditions: NonNullable<Step['when']>,
  saved: ReadonlyMap<string, Exchange>,
  edition: EditionName,
): boolean {
  return Object.entries(conditions).every(([name, assertion]) => {
    const exchange = saved.get(name)
    if (exchange === undefined) throw new Error(`No step has saved ${JSON.stringify(name)}.`)
    return check(assertion, exchange, edition) === undefined
  })
}

function exchangeOf(step: Step, wire: Wire, getHeaders: HeaderLines): Promise<Exchange> {
  const { target, timeout, insecure } = wire
  if (step.raw !== undefined) {
    return sendRaw(target, {
      operations: step.raw,
      responses: step.responses ?? 1,
      timeout,
      insecure,
    })
  }
  const { request = {} } = step
  const more = request.method === 'GET' || request.method === 'HEAD' ? toLines(getHeaders) : []
  const wireRequest = toWireRequest(request, target, [...more, ...wire.headers])
  if ((wireRequest.body?.length ?? 0) <= maxUnpacedBytes) {
    return sendRequest(wire.dispatcher, target, wireRequest, timeout)
  }
  return sendRaw(target, {
    operations: toOperations(wireRequest, target),
    responses: 1,
    timeout,
    insecure,
  })
}

/** A larger body is written in pieces with a look for an answer between them, or an early 413 is lost to a reset. */
const maxUnpacedBytes = 64 * 1024

function toOperations({ method, target: path, headers, body }: WireRequest, { host }: Target) {
  const length = ['content-length', String(body?.length ?? 0)] as const
  const lines = [['host', host] as const, ...headers, length]
  const fields = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const bytes = Buffer.from(body ?? [])
  return [{ text: `${method} ${path} HTTP/1.1\r\n${fields}\r\n` }, { hex: bytes.toString('hex') }]
}

function toLines(headers: HeaderLines): FieldLine[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === null ? [] : [value].flat().map((line): FieldLine => [name, line]),
  )
}
