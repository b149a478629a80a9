import { defineCommand, type Command } from '../arguments/define-command.js'
import { conformFlags } from './conform-flags.js'

/** Tests a server against the specification, or compares two reports. */
export const conformCommand: Command = defineCommand({
  summary: 'Tests whether a server conforms to GraphQL over HTTP.',
  usage: ['<url> [flags]', '--target <file> [flags]', 'diff <before.json> <after.json>'],
  flags: conformFlags,
  async run(flags, positionals, terminal) {
    if (positionals[0] === 'diff') {
      const { runDiff } = await import('./run-conform.js')
      return runDiff(flags, positionals.slice(1), terminal)
    }
    const { toConformPlan } = await import('./conform-plan.js')
    const plan = await toConformPlan(flags, positionals)
    if (!plan.ok) return plan
    const { runList, runTarget } = await import('./run-conform.js')
    return flags.list.value ? runList(plan.value, terminal) : runTarget(plan.value, terminal)
  },
})
