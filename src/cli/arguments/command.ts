import { wrapText } from '../../base/prose.js'
import { exitCodes, type Exit } from '../process/exit.js'
import { describeTerm } from '../process/layout.js'
import {
  joinSections,
  readableColumns,
  underTitle,
  type Lines,
  type Screen,
  type Terminal,
} from '../process/terminal.js'
import { switchType, type Flag, type FlagTable } from './flag.js'
import type { Arguments } from './read-flags.js'

export interface Command<Values> {
  readonly summary: string
  /** The arguments after the name, one usage line each. */
  readonly usage: readonly string[]
  readonly flags: FlagTable<Values>
  /** Rewrites the words before flags are searched among them. */
  readonly prepare?: (words: readonly string[]) => readonly string[]
  run(call: Call<Values>): Promise<Exit>
}

export type AnyCommand = Command<{ readonly [name: string]: unknown }>
export type Commands = { readonly [name: string]: AnyCommand }

export interface Call<Values> extends Arguments<Values> {
  readonly terminal: Terminal
}

const examples = [
  'graphwire init my-api',
  'graphwire serve schema.graphql --data data.json',
  'graphwire conform http://localhost:4000/graphql',
  'graphwire explain 422',
]

export function formatHelp(title: string, commands: Commands, screen: Screen): string {
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

export function formatCommandHelp(name: string, command: AnyCommand, screen: Screen): string {
  const { summary, usage, flags } = command
  const columns = Math.min(screen.columns, readableColumns)
  const lines = usage.map((line) => `graphwire ${name} ${line}`)
  const codes = Object.values(exitCodes).flatMap(({ code, meaning }) =>
    describeTerm(String(code), meaning, 4, columns),
  )
  const groups = new Map<string, Lines>()
  for (const [flagName, flag] of Object.entries(flags)) {
    const before = groups.get(flag.group) ?? []
    groups.set(flag.group, [...before, ...describeFlag(flagName, flag, columns)])
  }
  return joinSections([
    wrapText(summary, columns, ''),
    underTitle(screen, 'Usage', formatCommands(lines, columns)),
    ...Array.from(groups, ([group, rows]) => underTitle(screen, group, rows)),
    underTitle(screen, 'Exit codes', codes),
  ])
}

/** Words in brackets stay on one line. */
function formatCommands(lines: Lines, columns: number): Lines {
  return lines.flatMap((line) => {
    const kept = line.replaceAll(/\[[^\]]*\]/g, (words) => words.replaceAll(' ', '\u00a0'))
    return wrapText(kept, columns, '  ', '      ').map((one) => one.replaceAll('\u00a0', ' '))
  })
}

function describeFlag(name: string, flag: Flag<unknown>, columns: number): Lines {
  const beside = `  ${spelling(name, flag).padEnd(29)} ${flag.env.join(', ')}`.trimEnd()
  const words = [spelling(name, flag).replaceAll('|', ' | '), ...flag.env].join(' ')
  const first = beside.length <= columns ? [beside] : wrapText(words, columns, '  ', '      ')
  const text = `${flag.doc} Default: ${describeDefault(flag)}.`
  return [...first, ...wrapText(text, columns, '      ')]
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
