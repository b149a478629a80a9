import { defineCommand, type Command } from '../command.js'
import { conformFlags } from './flags.js'

/** Holds a server against the specification, or one report against another. */
export const conformCommand: Command = defineCommand({
  summary: 'Tests whether a server does what GraphQL over HTTP demands.',
  usage: ['<url> [flags]', '--target <file> [flags]', 'diff <before.json> <after.json>'],
  flags: conformFlags,
  async run(given, positionals, terminal) {
    if (positionals[0] === 'diff') {
      const { runDiff } = await import('./run-diff.js')
      return runDiff(given, positionals.slice(1), terminal)
    }
    const { toPlan } = await import('./plan.js')
    const plan = await toPlan(given, positionals)
    if (!plan.ok) return plan
    if (given.list.value) {
      const { runList } = await import('./run-list.js')
      return runList(plan.value, terminal)
    }
    const { runTarget } = await import('./run-target.js')
    return runTarget(plan.value, terminal)
  },
})
