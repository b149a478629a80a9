import { check } from '../judge/check.js'
import type { EditionName } from '../suite/editions.js'
import type { Exchange, FieldLine } from '../wire/exchange.js'
import { fill, type TemplateValues } from './fill.js'
import type { HeaderLines, Step } from '../suite/fixture.js'
import { judge, type Finding } from '../judge/judge.js'
import { sendRaw } from '../wire/send-raw.js'
import { sendAnew, sendRequest } from '../wire/send-request.js'
import type { Pace } from './pace.js'
import type { Statements } from '../suite/statements.js'
import type { Target } from '../wire/target.js'
import type { Connections } from '../wire/connections.js'
import { toWireRequest, type WireRequest } from '../wire/to-wire-request.js'

/** What every step of a run needs. */
export interface Wire {
  readonly target: Target
  readonly connections: Connections
  readonly edition: EditionName
  readonly statements: Statements
  readonly timeout: number
  readonly insecure: boolean
  /** The user's headers for every request. */
  readonly headers: readonly FieldLine[]
  readonly pace: Pace
  /** When the run is over: what comes later is not judged, since judging can take seconds and nothing interrupts it. */
  readonly deadline: number
}

/** The outcome of a step. */
export interface StepOutcome {
  readonly exchange: Exchange
  readonly findings: readonly Finding[]
}

/** Runs the steps one after the other, until a condition does not hold, the target limits rates, or the run is over. */
export async function runSteps(
  steps: readonly Step[],
  wire: Wire,
  values: TemplateValues,
  getHeaders: HeaderLines = {},
): Promise<readonly StepOutcome[]> {
  const saved = new Map<string, Exchange>()
  const outcomes: StepOutcome[] = []
  for (const [at, one] of steps.entries()) {
    const templateValues = { ...values, ...fieldsOf(saved) }
    if (!conditionsHold(fill(one.when ?? {}, templateValues), saved, wire.edition)) break
    const step = fill(one, templateValues)
    if (step.wait !== undefined) await new Promise((done) => setTimeout(done, step.wait))
    if (step.request === undefined && step.raw === undefined) continue
    const exchange = await wire.pace.send(() => exchangeOf(step, wire, getHeaders, at === 0))
    if (Date.now() >= wire.deadline) {
      outcomes.push({ exchange, findings: [] })
      break
    }
    if (step.save !== undefined) saved.set(step.save, exchange)
    const findings = judge(step.expect ?? [], exchange, wire.statements, wire.edition)
    outcomes.push({ exchange, findings })
    if (exchange.isRateLimited) break
  }
  return outcomes
}

/** `${NAME.etag}`: a field of a saved response. */
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

function exchangeOf(
  step: Step,
  wire: Wire,
  getHeaders: HeaderLines,
  isFirst: boolean,
): Promise<Exchange> {
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
    // Later steps ask whether the target still answers: a cut must not pass for the end of an idle connection.
    const send = isFirst ? sendRequest : sendAnew
    return send(wire.connections, target, wireRequest, timeout)
  }
  return sendRaw(target, {
    operations: toOperations(wireRequest, target),
    responses: 1,
    timeout,
    insecure,
  })
}

/** A larger body is sent in pieces, looking for a response in between; otherwise a reset hides an early 413. */
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
