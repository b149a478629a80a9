import { defineCommand, type Command } from '../command.js'
import { serveFlags } from './flags.js'
import { toPlan } from './plan.js'

/** Serves a schema until it is told to stop. */
export const serveCommand: Command = defineCommand({
  summary: 'Serves a schema over HTTP.',
  usage: [
    '<schema.graphql> [--resolvers <module>] [--data <file>] [flags]',
    '<module.js> [flags]',
    '--standard [flags]',
  ],
  flags: serveFlags,
  async run(given, positionals, terminal) {
    const plan = toPlan(given, positionals, terminal.env)
    if (!plan.ok) return plan
    const processes = { workers: given.workers.value, watch: given.watch.value }
    if (given.workers.from !== undefined || processes.watch) {
      const { runWorkers } = await import('./run-workers.js')
      return runWorkers(plan.value, processes, terminal)
    }
    const { runServer } = await import('./run-server.js')
    return runServer(plan.value, terminal)
  },
})
