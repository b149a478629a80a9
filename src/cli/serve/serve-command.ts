import { defineCommand, type Command } from '../arguments/define-command.js'
import { serveFlags } from './flags/serve-flags.js'
import { toPlan } from './flags/plan.js'

/** Serves a schema until a signal. */
export const serveCommand: Command = defineCommand({
  summary: 'Serves a schema over HTTP.',
  usage: [
    '<schema.graphql> [--resolvers <module>] [--data <file>] [flags]',
    '<module.js> [flags]',
    '--standard [flags]',
  ],
  flags: serveFlags,
  async run(flags, positionals, terminal) {
    const plan = toPlan(flags, positionals, terminal.env)
    if (!plan.ok) return plan
    const watch = flags.watch.value ? 'all' : flags['watch-documents'].value ? 'documents' : 'off'
    const processes = { workers: flags.workers.value, watch } as const
    if (flags.workers.from !== undefined || watch !== 'off') {
      const { runWorkers } = await import('./workers/run-workers.js')
      return runWorkers(plan.value, processes, terminal)
    }
    const { runServer } = await import('./start/run-server.js')
    return runServer(plan.value, terminal)
  },
})
