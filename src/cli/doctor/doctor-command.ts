import { defineCommand, type Command } from '../arguments/define-command.js'
import { doctorFlags } from './doctor-flags.js'

/** Looks for what is wrong with a project, or between a server and its clients. */
export const doctorCommand: Command = defineCommand({
  summary: 'Checks a project, its options for production, or a server behind its proxies.',
  usage: ['[folder] [flags]', '<schema.graphql|module.js> [flags]', '--url <url> [flags]'],
  flags: doctorFlags,
  async run(flags, positionals, terminal) {
    const { runDoctor } = await import('./run-doctor.js')
    return runDoctor(flags, positionals, terminal)
  },
})
