import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface Lap {
  readonly probes: number
  /** The slowest answer, in milliseconds. */
  readonly worst: number
  readonly wrong: readonly string[]
}

/** A client with modest wishes, which asks something small every 50 ms. */
export interface Prober {
  begin(): void
  /** Ends the lap with a probe that was under way or came later. */
  end(): Promise<Lap>
  stop(): Promise<void>
}

export function startProber(port: number): Prober {
  const program = fileURLToPath(new URL('./prober-process.js', import.meta.url))
  const child = fork(program, [String(port)])
  return {
    begin: () => void child.send('begin'),
    async end() {
      child.send('end')
      const [lap] = (await once(child, 'message')) as [Lap]
      return lap
    },
    /** It ends with this process, too. */
    async stop() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}
