import type { Outcome } from '../../index.js'
import type { CliError } from '../process/cli-error.js'
import { exitCodes } from '../process/exit-codes.js'
import {
  switchType,
  type AnyFlagTable,
  type Flag,
  type FlagTable,
  type FlagValues,
} from './flag.js'
import { wrapText } from './wrap-text.js'
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

type NamedCommand = readonly [name: string, command: Command]

/** The help of all commands. */
export function formatHelp(title: string, named: readonly NamedCommand[]): string {
  return sections([
    [`${title}: GraphQL over HTTP (September 2026), exactly as the specification says.`],
    ['Commands', ...named.map(([name, { summary }]) => row(name, summary))],
    [
      'More',
      row('help [command]', 'Shows this help, or the help of one command.'),
      row('--version', 'Shows the version.'),
    ],
    ...named.flatMap(([name, command]) => describe(name, command)),
    describeExitCodes(),
  ])
}

/** The help of one command. */
export function formatCommandHelp(name: string, command: Command): string {
  return sections([[command.summary], ...describe(name, command), describeExitCodes()])
}

type Section = readonly string[]

function describe(name: string, command: Command): readonly Section[] {
  return [
    ['Usage', ...command.usage.map((usage) => `  graphwire ${name} ${usage}`)],
    ...describeFlags(command.flags),
  ]
}

function describeFlags(flags: AnyFlagTable): readonly Section[] {
  const groups = new Map<string, string[]>()
  for (const [name, flag] of Object.entries(flags)) {
    const lines = groups.get(flag.group) ?? [flag.group]
    lines.push(row(spelling(name, flag), flag.env.join(', ')))
    lines.push(...wrapText(`${flag.doc} Default: ${describeDefault(flag)}.`, '      '))
    groups.set(flag.group, lines)
  }
  return [...groups.values()]
}

function spelling(name: string, { type, default: initial }: Flag<unknown>): string {
  if (type !== switchType) return `--${name} <${type.placeholder}>`
  return `${initial === false ? '--' : '--[no-]'}${name} (switch)`
}

/** The default of a flag, as help and the docs show it. */
export function describeDefault({ default: initial, defaultText }: Flag<unknown>): string {
  if (defaultText !== undefined) return defaultText
  if (initial === undefined) return 'none'
  if (typeof initial === 'boolean') return initial ? 'on' : 'off'
  return typeof initial === 'string' ? initial : JSON.stringify(initial)
}

function describeExitCodes(): Section {
  return [
    'Exit codes',
    ...Object.values(exitCodes).map(({ code, meaning }) => row(String(code), meaning)),
  ]
}

function row(term: string, text: string): string {
  return `  ${term.padEnd(29)} ${text}`.trimEnd()
}

function sections(list: readonly Section[]): string {
  return `${list.map((lines) => lines.join('\n')).join('\n\n')}\n`
}
