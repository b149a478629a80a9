import { setTimeout as sleep } from 'node:timers/promises'
import { isJsonObject } from '../../base/json.js'
import { check } from '../judge/check.js'
import { isOver, type End } from './before.js'
import type { Exchange } from '../wire/exchange.js'
import type { FixtureStep } from '../suite/fixture.js'
import { judge, type Finding, type Rules } from '../judge/judge.js'
import { paceBytes, sendRaw } from '../wire/send-raw.js'
import type { Pace } from './pace.js'
import { OpenStreams, type StreamWire } from './run-stream.js'
import { jsonOf, textOf } from '../wire/content.js'
import { toBytes, toCurl, toNetcat, toWireRequest } from '../wire/to-wire-request.js'

export interface Wire extends StreamWire, Rules, End {
  readonly pace: Pace
  /** For the templates of every case. */
  readonly values: TemplateValues
}

export interface StepOutcome {
  readonly exchange: Exchange
  readonly findings: readonly Finding[]
}

/** Runs the steps one after the other, until a condition does not hold, the target limits rates, or the run is over. */
export async function runSteps(
  steps: readonly FixtureStep[],
  wire: Wire,
): Promise<readonly StepOutcome[]> {
  const streams = new OpenStreams(wire)
  const saved = new Map<string, Exchange>()
  const outcomes: StepOutcome[] = []
  try {
    for (const [at, one] of steps.entries()) {
      // The first step is sent in any case: it may restore data.
      if (at > 0 && isOver(wire)) break
      const values = { ...wire.values, ...fieldsOf(saved) }
      // Only if they hold, the templates of the step have values.
      const conditions = Object.entries(fill(one.when ?? {}, values))
      const isMet = conditions.every(([name, condition]) => {
        const exchange = saved.get(name)
        if (exchange === undefined) throw new Error(`No step has saved ${JSON.stringify(name)}.`)
        return check(condition, exchange, wire.edition) === undefined
      })
      if (!isMet) break
      const step = fill(one, values)
      if (step.wait !== undefined) {
        await sleep(step.wait)
        continue
      }
      const outcome = await runStep(step, wire, () => exchangeOf(step, wire, streams, at === 0))
      outcomes.push(outcome)
      if (outcome.exchange.isRateLimited) break
      if (step.save === undefined) continue
      // Later steps are about this response.
      if (outcome.exchange.failure !== undefined && outcome.findings.length > 0) break
      saved.set(step.save, outcome.exchange)
    }
    return outcomes
  } finally {
    streams.closeAll()
  }
}

const repeatMs = 50

/** Runs a step, again and again if its assertions may hold later. */
async function runStep(
  step: FixtureStep,
  wire: Wire,
  send: () => Promise<Exchange>,
): Promise<StepOutcome> {
  const until = Date.now() + (step.within ?? 0)
  for (;;) {
    const exchange = await wire.pace.send(send)
    if (isOver(wire)) return { exchange, findings: [] }
    const findings = judge(step.expect ?? [], exchange, wire)
    if (findings.length === 0 || exchange.isRateLimited || Date.now() >= until) {
      return { exchange, findings }
    }
    await sleep(repeatMs)
  }
}

/** Tokens and similar texts. Others could change the syntax of a request that has them in a header. */
const printable = /^[ -~]{0,500}$/

/**
 * `${NAME.etag}`: a field of a saved response. `${NAME.data.counter}`: a text or a number of its data. `${NAME.body}`: its
 * body, if that is short, printable ASCII.
 */
function fieldsOf(saved: ReadonlyMap<string, Exchange>): TemplateValues {
  const fields = new Map<string, string>()
  for (const [name, { responses }] of saved) {
    const response = responses.at(-1)
    if (response === undefined) continue
    const json = jsonOf(response)
    const data = isJsonObject(json) && isJsonObject(json['data']) ? json['data'] : {}
    fields.set(`${name}.body`, printable.exec(textOf(response) ?? '')?.[0] ?? '')
    for (const [field, value] of response.headers)
      fields.set(`${name}.${field.toLowerCase()}`, value)
    for (const [field, value] of Object.entries(data)) {
      const isPlain = typeof value === 'string' || typeof value === 'number'
      if (isPlain) fields.set(`${name}.data.${field}`, String(value))
    }
  }
  return Object.fromEntries(fields)
}

async function exchangeOf(
  step: FixtureStep,
  wire: Wire,
  streams: OpenStreams,
  isFirst: boolean,
): Promise<Exchange> {
  const { target, client, timeout, headers, getHeaders } = wire
  if (step.stream !== undefined || step.socket !== undefined) return streams.run(step)
  const { raw, responses = 1, request = {} } = step
  if (raw !== undefined) {
    const exchange = await sendRaw(target, { operations: raw, responses, timeout })
    return { ...exchange, command: toNetcat(raw, target, headers) }
  }
  const more = request.method === 'GET' || request.method === 'HEAD' ? getHeaders : []
  const wireRequest = toWireRequest(request, target, [...more, ...headers])
  if ((wireRequest.body?.length ?? 0) > paceBytes) {
    const operations = [{ hex: toBytes(wireRequest, target.host).toString('hex') }]
    return sendRaw(target, { operations, responses, timeout })
  }
  // Later steps test whether the target still answers, so a cut connection must not be retried as an idle one.
  const send = isFirst ? client.send(wireRequest, timeout) : client.sendAnew(wireRequest, timeout)
  return { ...(await send), command: toCurl(wireRequest, target, headers) }
}

/** The values of `${name}` in the strings of a case. */
export interface TemplateValues {
  readonly [name: string]: string
}

/** Fills the templates in every string of JSON; an unknown name is a mistake in the fixture. */
export function fill<Value>(value: Value, values: TemplateValues): Value {
  return JSON.parse(JSON.stringify(value), (_, member: unknown) =>
    typeof member === 'string' ? fillText(member, values) : member,
  ) as Value
}

function fillText(text: string, values: TemplateValues): string {
  if (!text.includes('${')) return text
  return text.replaceAll(/\$\{([\w.-]+)\}/g, (_, name: string) => {
    const found = values[name]
    if (found === undefined) throw new Error(`No value for the template \${${name}}.`)
    return found
  })
}
