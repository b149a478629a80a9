import cluster from 'node:cluster'
import { fileURLToPath } from 'node:url'
import type { Outcome } from '../../index.js'
import { fail, type CliError } from '../cli-error.js'
import type { Fact } from './banner.js'
import type { PrimaryMessage, WorkerMessage } from './messages.js'
import type { Plan } from './plan.js'

/** A worker that answers requests. */
export interface Ready {
  readonly url: string
  readonly facts: readonly Fact[]
}

/** A process that serves the plan, as the primary sees it. */
export interface Member {
  readonly started: Promise<Outcome<Ready, CliError>>
  /** Resolves when the process has ended, with how it did. */
  readonly ended: Promise<string>
  /** Asks it to answer what it has and to end; resolves when it takes no new connections. */
  drain(): Promise<void>
  kill(): void
}

/** A worker that is silent for so long runs in a circle, and will never answer anybody. */
const maxSilenceMs = 3000

/** Starts a process that serves the plan on the port that all of them share. */
export function forkWorker(plan: Plan): Member {
  cluster.setupPrimary({
    exec: fileURLToPath(new URL('./worker.js', import.meta.url)),
    args: [JSON.stringify(plan)],
  })
  const worker = cluster.fork()
  // Sending to one that has just ended is an error, which `ended` tells better.
  worker.on('error', ignore)
  const kill = (): void => void worker.process.kill('SIGKILL')
  let isReady = false
  const ended = new Promise<string>((resolve) => {
    worker.once('exit', (code: number | null, signal: string | null) =>
      resolve(signal === null ? `with code ${code}` : `by ${signal}`),
    )
  })
  const told = <Kind extends WorkerMessage['kind']>(
    kind: Kind,
    then: (message: Extract<WorkerMessage, { kind: Kind }>) => void,
  ): void => {
    // A module of the user may send messages of its own.
    worker.on('message', (message: WorkerMessage | null) => {
      if (message?.kind === kind) then(message as Extract<WorkerMessage, { kind: Kind }>)
    })
  }
  const started = new Promise<Outcome<Ready, CliError>>((resolve) => {
    told('ready', ({ url, facts }) => {
      isReady = true
      resolve({ ok: true, value: { url, facts } })
    })
    told('failed', ({ error }) => resolve({ ok: false, reason: error }))
    void ended.then((how) =>
      resolve(fail('configuration', `A worker ended ${how} before it was ready.`)),
    )
  })
  const drained = Promise.race([new Promise<void>((done) => told('draining', () => done())), ended])
  return {
    started,
    ended,
    async drain() {
      // One that is still starting has no request to answer.
      if (isReady) worker.send({ kind: 'drain' } satisfies PrimaryMessage, ignore)
      else kill()
      const hung = setTimeout(kill, maxSilenceMs)
      await drained
      clearTimeout(hung)
    },
    kill,
  }
}

function ignore(): void {}
