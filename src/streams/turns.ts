import { inNextTurn, sharesTurns } from '../base/next-turn.js'

/** How many events all streams of a process send in a turn of the event loop. */
const eventsPerTurn = 256

/** A long event counts as several. */
const charactersPerEvent = 4096

let sent = 0
const waiting = new Set<() => void>()
let scheduled = 0

/**
 * Whether a stream has to wait for another turn. Each of hundreds of streams that always have an event would send only a few, but
 * everybody else would have to wait for all of them: a new connection even for seconds, since Node accepts one per turn.
 */
export function isTurnOver(): boolean {
  return sent >= eventsPerTurn
}

/** Counts an event. */
export function noteSent({ length }: string): void {
  if (!sharesTurns) return
  if (sent === 0) inNextTurn(() => (sent = 0))
  sent += 1 + length / charactersPerEvent
}

/** Goes on in another turn, behind those that wait already. */
export function inAnotherTurn(work: () => void): void {
  if (!sharesTurns) return inNextTurn(work)
  waiting.add(work)
  if (scheduled === 0) schedule()
}

/** One callback for each, since what one of them has begun runs on before the next callback. */
function schedule(): void {
  scheduled = Math.min(waiting.size, eventsPerTurn)
  for (let at = 0; at < scheduled; at += 1) inNextTurn(runNext)
}

function runNext(): void {
  scheduled -= 1
  const [work] = waiting
  if (work !== undefined && !isTurnOver()) {
    waiting.delete(work)
    work()
  }
  if (scheduled === 0 && waiting.size > 0) schedule()
}
