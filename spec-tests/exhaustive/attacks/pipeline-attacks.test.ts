import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { attacksOf, runAttacks } from './run-attacks.js'

/** Small requests in a process of its own, on one connection, or on another when the server has ended it. */
async function flood(port: number, isRead: boolean): Promise<void> {
  const program = fileURLToPath(new URL('./flood-process.js', import.meta.url))
  await once(fork(program, [String(port), isRead ? 'read' : 'not read']), 'exit')
}

const attacks = [
  ...attacksOf(
    {
      '3 MB of pipelined requests per second, whose responses are read': (_, { port }) =>
        flood(port, true),
      'the same, not read': (_, { port }) => flood(port, false),
    },
    { hangMs: 250 },
  ),
  ...attacksOf({
    // Apart, since collecting garbage makes others wait.
    async 'the memory that they take meanwhile'(t, { port, figures }) {
      const [before] = await figures()
      const flooding = flood(port, true)
      await pause(3000)
      const [during] = await figures()
      await flooding
      const grown = (during?.memory ?? Infinity) - (before?.memory ?? 0)
      t.ok(grown < 64e6, `memory grew by ${grown} bytes`)
    },
  }),
]

runAttacks('a server bears pipelines without an end', attacks)
