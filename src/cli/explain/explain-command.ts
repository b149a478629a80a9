import { defineCommand, type Command } from '../arguments/define-command.js'
import { explainFlags } from './explain-flags.js'

/** Explains a request, a status or a code. */
export const explainCommand: Command = defineCommand({
  summary: 'Explains how a request is answered and by which rule, or what a status or a code means.',
  usage: [
    "<schema.graphql|module.js> [flags] -- -X POST -H 'Accept: ...' --json '{...}'",
    "<url> [flags] -- -H 'Accept: ...' --json '{...}'",
    '<status|CODE> [flags]',
  ],
  flags: explainFlags,
  async run(flags, positionals, terminal) {
    const { runExplain } = await import('./run-explain.js')
    return runExplain(flags, positionals, terminal)
  },
})
