import { never, type Transitions } from '../../../base/transitions.js'

/*
 * Two lives: that of a worker as the crew sees it, and that of the crew.
 *
 * A WORKER
 *
 *     starting --> ready --> serving --> leaving --> retiring --> ended
 *         |          ^          |                       ^
 *         +-> failed-+          +-> lost    any of them-+
 *
 * starting  The process loads the schema.
 * ready     It can serve, and waits for those that were started with it, so that two schemas are served at
 *           once for no longer than necessary.
 * failed    It cannot serve, has reported why, and is about to end.
 * serving   It gets connections. A crew is complete when enough workers are in this state.
 * leaving   The process was told to end, and not by the crew. It serves until it has been replaced.
 * retiring  It gets no more connections, finishes its requests, and ends.
 * lost      It ended when it was needed, and must be replaced.
 * ended     It ended when it was not needed any more.
 *
 * The events:
 *
 * ready, failed  The result of its start. A process that dies while starting has failed, too; either of the
 *                two events may come first.
 * welcome        It must serve now. A failed worker is only welcomed in the place of a lost one: its end is then
 *                the next loss, and losses that come too fast make the crew give up.
 * leave          The process was told to end, by a supervisor that signals all processes of its group for example.
 * retire         It was replaced, another of the same start failed, or the crew stops.
 * ended          The process has ended.
 */
export type WorkerState =
  | 'starting'
  | 'ready'
  | 'failed'
  | 'serving'
  | 'leaving'
  | 'retiring'
  | 'lost'
  | 'ended'
export type WorkerEvent = 'ready' | 'failed' | 'welcome' | 'leave' | 'retire' | 'ended'

// oxfmt-ignore
export const workerTransitions: Transitions<WorkerState, WorkerEvent> = {
  starting: { ready: 'ready',    failed: 'failed',   welcome: never,      leave: never,      retire: 'retiring', ended: 'ended' },
  ready:    { ready: never,      failed: never,      welcome: 'serving',  leave: never,      retire: 'retiring', ended: 'ended' },
  failed:   { ready: never,      failed: never,      welcome: 'serving',  leave: never,      retire: 'retiring', ended: 'ended' },
  serving:  { ready: never,      failed: never,      welcome: never,      leave: 'leaving',  retire: 'retiring', ended: 'lost' },
  leaving:  { ready: never,      failed: never,      welcome: never,      leave: never,      retire: 'retiring', ended: 'ended' },
  retiring: { ready: 'retiring', failed: 'retiring', welcome: 'retiring', leave: 'retiring', retire: 'retiring', ended: 'ended' },
  lost:     { ready: never,      failed: never,      welcome: never,      leave: 'lost',     retire: 'lost',     ended: never },
  ended:    { ready: 'ended',    failed: 'ended',    welcome: 'lost',     leave: 'ended',    retire: 'ended',    ended: never },
}

/*
 * THE CREW
 *
 *     unstarted --> starting ---------> running <-------> renewing
 *                      |                                   ^    |
 *                      v                                   |    v
 *                 startingStale ---------------------------+  renewingStale
 *
 * unstarted      No worker has been started.
 * starting       The first workers start.
 * startingStale  The same, but the files have changed since: the workers are renewed as soon as they serve.
 * running        The workers serve the schema of the files, or the last one that was valid.
 * renewing       Workers start that will replace those that serve.
 * renewingStale  The same, but the files have changed since: they are renewed once more, however often.
 * stopping       All workers end, and are not replaced.
 *
 * The events: `start`; `change` of the files; `settled`, when all workers of a start are ready, or when one has
 * failed, so that the old ones stay; `stop`.
 *
 * Readiness is not part of it: a crew whose /readyz answers 503 still replaces and renews its workers.
 */
export type CrewState =
  | 'unstarted'
  | 'starting'
  | 'startingStale'
  | 'running'
  | 'renewing'
  | 'renewingStale'
  | 'stopping'
export type CrewEvent = 'start' | 'change' | 'settled' | 'stop'

// oxfmt-ignore
export const crewTransitions: Transitions<CrewState, CrewEvent> = {
  unstarted:     { start: 'starting', change: 'unstarted',     settled: never,      stop: 'stopping' },
  starting:      { start: never,      change: 'startingStale', settled: 'running',  stop: 'stopping' },
  startingStale: { start: never,      change: 'startingStale', settled: 'renewing', stop: 'stopping' },
  running:       { start: never,      change: 'renewing',      settled: never,      stop: 'stopping' },
  renewing:      { start: never,      change: 'renewingStale', settled: 'running',  stop: 'stopping' },
  renewingStale: { start: never,      change: 'renewingStale', settled: 'renewing', stop: 'stopping' },
  stopping:      { start: never,      change: 'stopping',      settled: 'stopping', stop: 'stopping' },
}

const windowMs = 10_000
const maxDeaths = 5
const firstPauseMs = 100

/**
 * Makes a function that counts the deaths of workers. It returns the pause before the next start, which
 * doubles; undefined means that they die too fast to go on.
 */
export function createDeathLog(now: () => number): () => number | undefined {
  let deaths: readonly number[] = []
  return () => {
    const at = now()
    deaths = [...deaths.filter((death) => at - death < windowMs), at]
    if (deaths.length >= maxDeaths) return undefined
    return deaths.length === 1 ? 0 : firstPauseMs * 2 ** (deaths.length - 2)
  }
}
