import { type Exit, exitCodes } from '../process/exit.js'
import {
  type Terminal,
  describeTerm,
  joinSections,
  readableColumns,
  underTitle,
  wrapText,
  type Screen,
} from '../process/terminal.js'
import {
  type AnyFlagTable,
  type Flag,
  type FlagTable,
  type FlagValues,
  switchType,
} from './flag.js'
import { readArguments, readValues } from './read-flags.js'

export interface CommandPlan<Values> {
  readonly summary: string
  /** The arguments after the name, one usage line each. */
  readonly usage: readonly string[]
  readonly flags: FlagTable<Values>
  run(call: Call<Values>): Promise<Exit>
}

/** The arguments of a command: its flags, and the words beside them. */
export interface Call<Values> {
  readonly flags: FlagValues<Values>
  readonly words: readonly string[]
  readonly terminal: Terminal
}

/** A command in the table of commands, without the types of its own flags. */
export interface Command extends Pick<CommandPlan<unknown>, 'summary' | 'usage'> {
  readonly flags: AnyFlagTable
  run(words: readonly string[], terminal: Terminal): Promise<Exit>
}

export function defineCommand<Values>(plan: CommandPlan<Values>): Command {
  const flags = plan.flags as AnyFlagTable
  return {
    ...plan,
    flags,
    async run(words, terminal) {
      const read = readArguments(words, flags)
      const values = readValues(read, plan.flags, terminal.env)
      return plan.run({ flags: values, words: read.positionals, terminal })
    },
  }
}

const examples = [
  'graphwire init my-api',
  'graphwire serve schema.graphql --data data.json',
  'graphwire conform http://localhost:4000/graphql',
  'graphwire explain 422',
]

export function formatHelp(
  title: string,
  commands: { readonly [name: string]: Command },
  screen: Screen,
): string {
  const columns = Math.min(screen.columns, readableColumns)
  const width = Math.max(...Object.keys(commands).map((name) => name.length)) + 1
  const rows = Object.entries(commands).flatMap(([name, { summary }]) =>
    describeTerm(name, summary, width, columns),
  )
  const more = '"graphwire help COMMAND" shows its flags, "graphwire --version" the version.'
  return joinSections([
    wrapText(`${title}: GraphQL over HTTP (September 2026), exactly as specified.`, columns, ''),
    underTitle(screen, 'Commands', rows),
    underTitle(screen, 'Examples', formatCommands(examples, columns)),
    wrapText(more, columns, ''),
  ])
}

export function formatCommandHelp(
  name: string,
  { summary, usage, flags }: Command,
  screen: Screen,
): string {
  const columns = Math.min(screen.columns, readableColumns)
  const lines = usage.map((line) => `graphwire ${name} ${line}`)
  const codes = Object.values(exitCodes).flatMap(({ code, meaning }) =>
    describeTerm(String(code), meaning, 4, columns),
  )
  return joinSections([
    wrapText(summary, columns, ''),
    underTitle(screen, 'Usage', formatCommands(lines, columns)),
    ...Array.from(groupFlags(flags, columns), ([group, rows]) => underTitle(screen, group, rows)),
    underTitle(screen, 'Exit codes', codes),
  ])
}

/** Words in brackets stay on one line. */
function formatCommands(lines: readonly string[], columns: number): readonly string[] {
  return lines.flatMap((line) => {
    const kept = line.replaceAll(/\[[^\]]*\]/g, (words) => words.replaceAll(' ', '\u00a0'))
    return wrapText(kept, columns, '  ', '      ').map((one) => one.replaceAll('\u00a0', ' '))
  })
}

function groupFlags(flags: AnyFlagTable, columns: number): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>()
  for (const [name, flag] of Object.entries(flags)) {
    const lines = groups.get(flag.group) ?? []
    const beside = `  ${spelling(name, flag).padEnd(29)} ${flag.env.join(', ')}`.trimEnd()
    if (beside.length <= columns) lines.push(beside)
    else {
      const words = [spelling(name, flag).replaceAll('|', ' | '), ...flag.env].join(' ')
      lines.push(...wrapText(words, columns, '  ', '      '))
    }
    lines.push(...wrapText(`${flag.doc} Default: ${describeDefault(flag)}.`, columns, '      '))
    groups.set(flag.group, lines)
  }
  return groups
}

function spelling(name: string, { type, default: initial }: Flag<unknown>): string {
  if (type !== switchType) return `--${name} <${type.placeholder}>`
  return `${initial === false ? '--' : '--[no-]'}${name}`
}

export function describeDefault({ default: initial, defaultText }: Flag<unknown>): string {
  if (defaultText !== undefined) return defaultText
  if (initial === undefined) return 'none'
  if (typeof initial === 'boolean') return initial ? 'on' : 'off'
  return typeof initial === 'string' ? initial : JSON.stringify(initial)
}
