import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { runAttacks, type Attack } from './run-attacks.js'

/** Small requests in a process of its own, on one connection, or on another when the server has ended it. */
async function flood(port: number, isRead: boolean): Promise<void> {
  const program = fileURLToPath(new URL('./flood-process.js', import.meta.url))
  await once(fork(program, [String(port), isRead ? 'read' : 'not read']), 'exit')
}

const attacks: readonly Attack[] = [
  {
    name: '3 MB of pipelined requests per second, whose responses are read',
    hangMs: 250,
    run: (_, { port }) => flood(port, true),
  },
  { name: 'the same, not read', hangMs: 250, run: (_, { port }) => flood(port, false) },
  {
    name: 'the memory that they take meanwhile', // collecting garbage makes others wait
    async run(t, target) {
      const [before] = await target.figures()
      const flooding = flood(target.port, true)
      await pause(3000)
      const [during] = await target.figures()
      await flooding
      const grown = (during?.memory ?? Infinity) - (before?.memory ?? 0)
      t.ok(grown < 64e6, `memory grew by ${grown} bytes`)
    },
  },
]

runAttacks('a server bears pipelines without an end', attacks)
