import { checkHeaders, checkPointers, firstOf, type Mismatch } from './check-parts.js'
import { type Exchange, quote, type WireEvent } from '../wire/exchange.js'
import { countOf } from '../../base/prose.js'
import { cutText } from '../../base/cut-text.js'
import type { DataCheck, EventCheck, EventsCheck, Json } from '../suite/checks.js'
import { parseJson, readOnce } from '../wire/content.js'

/** Whether an event only keeps the connection alive, or is invisible to programs. */
export function isSilent({ kind }: WireEvent): boolean {
  return kind === 'comment' || kind === 'ping' || kind === 'pong'
}

export function checkEvents(check: EventsCheck, exchange: Exchange): Mismatch {
  const { of } = check
  const events = (exchange.events ?? []).filter((event) =>
    of === undefined ? !isSilent(event) : checkEvent(event, of) === undefined,
  )
  return (
    checkCount(check, events) ??
    checkList(check, events) ??
    checkSome(check, events) ??
    checkTimes(check, events)
  )
}

function checkCount(
  { count, atLeast, atMost }: EventsCheck,
  events: readonly WireEvent[],
): Mismatch {
  const { length } = events
  const came = `${list(events)} came`
  if (count !== undefined && length !== count) return `${came}, not ${countOf(count, 'event')}`
  if (length < (atLeast ?? 0)) return `${came}, not at least ${countOf(atLeast ?? 0, 'event')}`
  if (length > (atMost ?? Infinity)) return `${came}, not at most ${countOf(atMost ?? 0, 'event')}`
  return undefined
}

function checkList(
  { list: wanted, first, last }: EventsCheck,
  events: readonly WireEvent[],
): Mismatch {
  const problem =
    (first && checkAt(events[0], first, 'the first event')) ??
    (last && checkAt(events.at(-1), last, 'the last event')) ??
    firstOf((wanted ?? []).entries(), ([at, one]) => checkAt(events[at], one, `event ${at + 1}`))
  const next = wanted && events[wanted.length]
  if (problem !== undefined || next === undefined) return problem
  return `behind the ${countOf(wanted?.length ?? 0, 'event')} came ${describeEvent(next)}`
}

function checkAt(event: WireEvent | undefined, check: EventCheck, where: string): Mismatch {
  if (event === undefined) return `${where} did not come: ${describeCheck(check)}`
  const problem = checkEvent(event, check)
  return problem && `${where}: ${problem}`
}

function checkSome({ each, some, none }: EventsCheck, events: readonly WireEvent[]): Mismatch {
  const problem = firstOf(events.entries(), ([at, event]) => {
    const wrong = each && checkEvent(event, each)
    if (wrong !== undefined) return `event ${at + 1}: ${wrong}`
    const isWanted = none === undefined || checkEvent(event, none) !== undefined
    return isWanted ? undefined : `event ${at + 1} must not come: ${describeEvent(event)}`
  })
  if (problem !== undefined || some === undefined) return problem
  const isFound = events.some((one) => checkEvent(one, some) === undefined)
  return isFound ? undefined : `${describeCheck(some)} did not come, but ${list(events)}`
}

function checkTimes({ gap, prompt }: EventsCheck, events: readonly WireEvent[]): Mismatch {
  const took = (events.at(-1)?.at ?? 0) - (events[0]?.at ?? 0)
  if (gap !== undefined && took < gap) {
    return `${list(events)} came within ${Math.round(took)} ms, not ${gap} ms apart`
  }
  if (prompt === undefined) return undefined
  const late = events.findIndex(({ at, knownAt = at }) => knownAt - at > prompt)
  return late < 0
    ? undefined
    : `event ${late + 1} was complete only ${prompt} ms or more after its last byte`
}

export function checkEvent(event: WireEvent, check: EventCheck): Mismatch {
  const { kind, name, code } = check
  if (!isAmong(event.kind, kind)) return `it is ${describeEvent(event)}, not ${either(kind)}`
  if (!isAmong(event.name ?? '', name)) {
    return `it is ${describeEvent(event)}, not named ${either(name)}`
  }
  if (!isAmong(event.code ?? 0, code)) {
    return `the code is ${event.code ?? 'missing'}, not ${either(code)}`
  }
  const { headers = [] } = event
  return (
    checkHeaders({ headers }, check.header) ??
    checkData(event, check.data) ??
    checkJson(event, check)
  )
}

type OneOrMore<Value> = Value | readonly Value[] | undefined

function isAmong<Value>(value: Value, wanted: OneOrMore<Value>): boolean {
  return wanted === undefined || [wanted].flat().includes(value)
}

function either<Value>(wanted: OneOrMore<Value>): string {
  return [wanted].flat().join(' or ')
}

function checkData({ data }: WireEvent, check: DataCheck | undefined): Mismatch {
  if (check === undefined) return undefined
  if (check.present && data === undefined) return 'it has no data'
  if (check.equals !== undefined && data !== check.equals) {
    return `its data is ${quote(data ?? '')}, not ${quote(check.equals)}`
  }
  if (check.empty !== undefined && (data === '') !== check.empty) {
    return check.empty ? `its data is ${quote(data ?? 'missing')}, not empty` : 'its data is empty'
  }
  const size = Buffer.byteLength(data ?? '')
  if (size > (check.maxBytes ?? Infinity)) {
    return `its data has ${size} bytes, not at most ${check.maxBytes}`
  }
  return undefined
}

function checkJson(event: WireEvent, { json }: EventCheck): Mismatch {
  if (json === undefined) return undefined
  const value = jsonOfEvent(event)
  if (value === undefined) return `its data is not JSON: ${quote(event.data ?? '')}`
  return checkPointers(value, json, 'its data')
}

/** The data of an event as JSON; undefined if it is not JSON. */
export const jsonOfEvent: (event: WireEvent) => Json | undefined = readOnce(({ data = '' }) =>
  parseJson(data),
)

export function describeEvent({ kind, name, data = '', code }: WireEvent): string {
  const more = data === '' ? '' : ` ${show(data)}`
  if (kind === 'event') return `event ${name ?? ''}${more}`
  if (kind === 'close') return `close ${code ?? ''}${more}`
  if (kind === 'end') return 'the end'
  return kind === 'cut' ? `a cut (${data})` : `${kind}${more}`
}

/** Most data is JSON, which would be hard to read in quotes. */
function show(data: string): string {
  return /^[{[][\u0020-\u007e\u00a0-\uffff]*$/.test(data) ? cutText(data, 200) : quote(data)
}

function describeCheck({ kind, name, code, json, data }: EventCheck): string {
  const words = [kind, name, code].flatMap((one) => (one === undefined ? [] : either(one)))
  const pairs = Object.entries(json ?? {}).map(
    ([pointer, { const: value }]) =>
      `${pointer}${value === undefined ? '' : ` ${JSON.stringify(value)}`}`,
  )
  const text = data?.equals === undefined ? [] : [quote(data.equals)]
  return [...words, ...pairs, ...text].join(' ') || 'an event'
}

const named = 4

function list(events: readonly WireEvent[]): string {
  if (events.length === 0) return 'nothing'
  const words = events.slice(0, named).map(describeEvent)
  const more = events.length - words.length
  return `${words.join(', ')}${more > 0 ? ` and ${countOf(more, 'event')} more` : ''}`
}
