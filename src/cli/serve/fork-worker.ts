import { fork, type ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { CloseReport } from '../../hosts/node/index.js'
import type { Outcome } from '../../index.js'
import { fail, type CliError } from '../cli-error.js'
import type { Fact } from './banner.js'
import type { Taker } from './hand-over.js'
import type { DrainTimes, PrimaryMessage, WorkerMessage } from './messages.js'
import { createParcels } from './parcels.js'
import type { Plan } from './plan.js'

/** A worker that answers requests. */
export interface Ready {
  readonly path: string
  readonly facts: readonly Fact[]
}

/** A process that serves the plan, as the primary sees it. */
export interface Member extends Taker {
  readonly started: Promise<Outcome<Ready, CliError>>
  /** Resolves when somebody else has told it to end. */
  readonly leaving: Promise<void>
  /** Resolves when the process has ended, with how it did. */
  readonly ended: Promise<string>
  /** Lets its readiness fail; it serves on. */
  unready(): void
  /** Lets it answer what it has and end; gives nothing when it could not tell how that went. */
  drain(times: DrainTimes): Promise<CloseReport | undefined>
  kill(): void
}

/** How much later than at its deadline a worker is killed that has not ended. */
const marginMs = 500

/** Node takes anything longer for 1 ms. */
const longestTimer = 2 ** 31 - 1

/** Starts a process that serves the plan. */
export function forkWorker(plan: Plan): Member {
  const file = fileURLToPath(new URL('./worker.js', import.meta.url))
  const child = fork(file, [JSON.stringify(plan)])
  const ended = untilEnded(child)
  const kill = (): void => void child.kill('SIGKILL')
  // Sending to one that has just ended is an error, which `ended` tells better.
  const send = (message: PrimaryMessage): void => void child.send(message, ignore)
  const parcels = createParcels((id, socket: Socket, failed) => {
    // A copy stays with us until the worker has said that it has the socket.
    child.send(
      { kind: 'socket', id } satisfies PrimaryMessage,
      socket,
      { keepOpen: true },
      (error) => {
        if (error !== null) failed()
      },
    )
  })
  told(child, 'took', ({ id }) => parcels.arrived(id))
  void ended.then(() => parcels.close())

  let isReady = false
  told(child, 'ready', () => (isReady = true))
  let report: CloseReport | undefined
  told(child, 'drained', (message) => (report = message.report))
  const drain = async (times: DrainTimes): Promise<CloseReport | undefined> => {
    if (!isReady) {
      kill()
      await ended
      return nothing
    }
    send({ kind: 'drain', times })
    const hung = setTimeout(kill, Math.min(times.deadline + marginMs, longestTimer))
    await ended
    clearTimeout(hung)
    return report
  }
  let draining: Promise<CloseReport | undefined> | undefined
  return {
    started: untilStarted(child, ended),
    leaving: new Promise((resolve) => told(child, 'leaving', () => resolve())),
    ended,
    pending: () => parcels.size(),
    take: (socket) => parcels.send(socket),
    unready: () => send({ kind: 'unready' }),
    drain: (times) => (draining ??= drain(times)),
    kill,
  }
}

/** One that is still starting has no request to answer. */
const nothing: CloseReport = { finished: 0, cut: 0 }

async function untilEnded(child: ChildProcess): Promise<string> {
  const how = await new Promise<string>((resolve) => {
    child.once('exit', (code, signal) =>
      resolve(signal === null ? `with code ${code}` : `by ${signal}`),
    )
    child.on('error', ({ message }) => {
      if (child.pid === undefined) resolve(`without having started: ${message}`)
    })
  })
  // The exit may be noticed before the last words have been read. No event tells of their end when
  // a socket was still under way.
  for (let turns = 0; child.connected && turns < maxLastTurns; turns++) await pause(1)
  return how
}

const maxLastTurns = 100

function untilStarted(
  child: ChildProcess,
  ended: Promise<string>,
): Promise<Outcome<Ready, CliError>> {
  return new Promise((resolve) => {
    told(child, 'ready', ({ path, facts }) => resolve({ ok: true, value: { path, facts } }))
    told(child, 'failed', ({ error }) => resolve({ ok: false, reason: error }))
    void ended.then((how) =>
      resolve(fail('configuration', `A worker ended ${how} before it was ready.`)),
    )
  })
}

function told<Kind extends WorkerMessage['kind']>(
  child: ChildProcess,
  kind: Kind,
  then: (message: Extract<WorkerMessage, { kind: Kind }>) => void,
): void {
  child.on('message', (message) => {
    // A module of the user may send messages of its own.
    const known = message as WorkerMessage | null
    if (known?.kind === kind) then(known as Extract<WorkerMessage, { kind: Kind }>)
  })
}

function ignore(): void {}
