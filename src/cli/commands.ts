import type { Command } from './command.js'

/** Every command by name, loaded when it is asked for. `help` and `version` are `run-cli`'s own. */
export const commands: { readonly [name: string]: () => Promise<Command> } = {
  serve: async () => (await import('./serve/command.js')).serveCommand,
  conform: async () => (await import('./conform/command.js')).conformCommand,
}
