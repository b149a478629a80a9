import { createServer, request, type IncomingMessage } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import {
  buildSchema,
  createEndpoint,
  resumable,
  type OperationRequest,
} from '../../../../src/index.js'
import { toNodeListener } from '../../../../src/hosts/node/index.js'
import { close, listen } from '../../../hosts/start-node.js'
import type { Random } from '../../../fuzz/random.js'
import { readEvents } from '../references/read-events.js'
import { watchBugs } from '../probe.js'
import { smallerLists, smallerTexts } from '../../../fuzz/smaller.js'
import type { Target, Verdict } from '../../../fuzz/target.js'
import { until, within } from '../within.js'

/** One event of the source. */
interface Entry {
  /** Undefined: the source only tells a position. */
  readonly text: string | undefined
  /** Whether the source takes a while to get it. */
  readonly isLate: boolean
}

/** How a client drops its connection: after so many bytes, and how. */
interface Drop {
  readonly bytes: number
  readonly way: 'close' | 'reset' | 'fin'
}

interface Input {
  readonly entries: readonly Entry[]
  readonly drops: readonly Drop[]
}

/** Streams of events whose clients drop their connection at any byte, and resume: nothing is lost, and nothing comes twice. */
export async function resumedEvents(): Promise<Target<Input>> {
  const log: { entries: readonly Entry[]; open: number } = { entries: [], open: 0 }
  const { onBug, verdict } = watchBugs()
  const endpoint = createEndpoint({ schema: createSchema(log), onBug })
  const server = createServer(toNodeListener(endpoint.handler))
  const port = await listen(server)
  const check = async ({ entries, drops }: Input): Promise<Verdict> => {
    log.entries = entries
    const fault = await within(follow(port, entries, drops), 'no end')
    if (fault !== undefined) return fault
    const isAllClosed = (): boolean => log.open === 0 && endpoint.stats().open === 0
    return verdict() ?? within(until(isAllClosed), 'open: something stays open')
  }
  return {
    name: 'resumed-events',
    generate: makeInput,
    check,
    *smaller({ entries, drops }) {
      for (const fewer of smallerLists(entries, smallerEntries)) yield { entries: fewer, drops }
      for (const fewer of smallerLists(drops, () => [])) yield { entries, drops: fewer }
    },
    row: (input) => JSON.stringify(input),
    close: () => close(server),
  }
}

function* smallerEntries({ text, isLate }: Entry): Generator<Entry> {
  if (isLate) yield { text, isLate: false }
  for (const shorter of smallerTexts(text ?? '')) yield { text: shorter, isLate }
}

// oxfmt-ignore
const pieces = ['a', 'é', '\u{1f600}', '\n', '\r', '\u{2028}', ':', ' ', '"', 'data: ', '\n\n', 'id: 0\n', '\0']

function makeInput(random: Random): Input {
  const text = (): string =>
    random.chance(0.1)
      ? 'x'.repeat(random.below(40_000))
      : random.list(8, () => random.pick(pieces)).join('')
  return {
    entries: random.list(12, () => ({
      text: random.chance(0.1) ? undefined : text(),
      isLate: random.chance(0.3),
    })),
    drops: random.list(6, () => ({
      bytes: random.below(random.pick([10, 100, 400, 5000])),
      way: random.pick(['close', 'reset', 'fin']),
    })),
  }
}

/** The id of an event is its number; a client gets what comes behind the one that it has seen. */
function createSchema(log: { entries: readonly Entry[]; open: number }) {
  return buildSchema('type Query { a: Int } type Subscription { log: String }', {
    Subscription: {
      log: {
        async *subscribe(_: unknown, __: unknown, { lastEventId = '-1' }: OperationRequest) {
          log.open += 1
          try {
            for (const [at, { text, isLate }] of log.entries.entries()) {
              if (at <= Number(lastEventId)) continue
              if (isLate) await nextTurn()
              yield resumable(text === undefined ? undefined : { log: text }, String(at))
            }
          } finally {
            log.open -= 1
          }
        },
      },
    },
  })
}

/** Reads it all, on as many connections as it takes. */
async function follow(
  port: number,
  entries: readonly Entry[],
  drops: readonly Drop[],
): Promise<Verdict> {
  const seen: unknown[] = []
  let lastEventId = ''
  for (const drop of [...drops, undefined]) {
    const read = readEvents(await receive(port, lastEventId, drop), lastEventId)
    lastEventId = read.lastEventId
    for (const { type, data } of read.events) {
      if (type === 'complete') return compare(seen, entries)
      if (type !== 'next') return `type: an event ${type}`
      seen.push(JSON.parse(data))
    }
  }
  return 'complete: there is none'
}

function compare(seen: readonly unknown[], entries: readonly Entry[]): Verdict {
  const made = entries.flatMap(({ text }) => (text === undefined ? [] : [{ data: { log: text } }]))
  return isDeepStrictEqual(seen, made)
    ? undefined
    : `events: ${JSON.stringify(seen)}, and not ${JSON.stringify(made)}`
}

/** The bytes of one connection, until its end or the drop. */
function receive(port: number, lastEventId: string, drop: Drop | undefined): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const path = `/graphql?${new URLSearchParams({ query: 'subscription { log }' }).toString()}`
    const headers = {
      accept: 'text/event-stream',
      ...(lastEventId !== '' && { 'last-event-id': lastEventId }),
    }
    const outgoing = request({ port, host: '127.0.0.1', path, headers, agent: false })
    outgoing.on('error', reject)
    outgoing.on('response', (incoming) => {
      outgoing.off('error', reject).on('error', () => undefined)
      let bytes = Buffer.alloc(0)
      const take = (chunk: Buffer): void => {
        bytes = Buffer.concat([bytes, chunk])
        if (drop === undefined || bytes.length < drop.bytes) return
        leave(incoming, drop.way)
        resolve(bytes.subarray(0, drop.bytes))
      }
      incoming.on('data', take)
      incoming.on('error', () => undefined)
      incoming.on('close', () => resolve(bytes))
    })
    outgoing.end()
  })
}

function leave(incoming: IncomingMessage, way: Drop['way']): void {
  incoming.removeAllListeners('data')
  if (way === 'fin') incoming.socket.end()
  else if (way === 'reset') incoming.socket.resetAndDestroy()
  else incoming.destroy()
}
