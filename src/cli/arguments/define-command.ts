import type { Outcome } from '../../index.js'
import type { CliError } from '../process/cli-error.js'
import type { AnyFlagTable, FlagTable, FlagValues } from './flag.js'
import { readArguments, readValues, type Environment } from './read-flags.js'

/** The environment of a command, and its outputs. */
export interface Terminal {
  readonly env: Environment
  out(text: string): void
  err(text: string): void
}

/** What a command file describes. */
export interface CommandPlan<Values> {
  readonly summary: string
  /** The arguments after the name, one usage line each. */
  readonly usage: readonly string[]
  readonly flags: FlagTable<Values>
  /** Returns the exit code. */
  run(
    flags: FlagValues<Values>,
    positionals: readonly string[],
    terminal: Terminal,
  ): Promise<Outcome<number, CliError>>
}

/** A command in the table of commands, without the types of its own flags. */
export interface Command {
  readonly summary: string
  readonly usage: readonly string[]
  readonly flags: AnyFlagTable
  run(words: readonly string[], terminal: Terminal): Promise<Outcome<number, CliError>>
}

/** Defines a command that reads its flags before it runs. */
export function defineCommand<Values>(plan: CommandPlan<Values>): Command {
  const flags = plan.flags as AnyFlagTable
  return {
    summary: plan.summary,
    usage: plan.usage,
    flags,
    async run(words, terminal) {
      const read = readArguments(words, flags)
      if (!read.ok) return read
      const values = readValues(read.value, plan.flags, terminal.env)
      return values.ok ? plan.run(values.value, read.value.positionals, terminal) : values
    },
  }
}
