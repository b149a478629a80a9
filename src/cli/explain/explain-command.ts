import { defineCommand, type Command } from '../arguments/define-command.js'
import { explainFlags } from './input/explain-flags.js'

const command = defineCommand({
  summary:
    'Explains how a request is answered and by which rule, or what a status or a code means.',
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

/** Explains a request, a status or a code. */
export const explainCommand: Command = {
  ...command,
  run: (words, terminal) => command.run(markCurl(words), terminal),
}

/** A command of curl may be pasted as it is: its words begin at its name, or at its first short option. */
function markCurl(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => word === '--' || word === 'curl' || /^-[A-Za-z]/.test(word))
  if (at < 0 || words[at] === '--') return words
  return [...words.slice(0, at), '--', ...words.slice(at)]
}
