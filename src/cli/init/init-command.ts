import { defineCommand, type Command } from '../arguments/define-command.js'
import { initFlags } from './init-flags.js'

/** Writes a project to begin with. */
export const initCommand: Command = defineCommand({
  summary: 'Writes a small project: an API, its server and a test. It never overwrites a file.',
  usage: ['[folder] [flags]'],
  flags: initFlags,
  async run(flags, positionals, terminal) {
    const { runInit } = await import('./run-init.js')
    return runInit(flags, positionals, terminal)
  },
})
