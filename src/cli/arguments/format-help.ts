import type { Command } from './define-command.js'
import { exitCodes } from '../process/exit-codes.js'
import { switchType, type AnyFlagTable, type Flag } from './flag.js'

/** A command with its name. */
export interface NamedCommand {
  readonly name: string
  readonly command: Command
}

/** The help of all commands. */
export function formatHelp(version: string, named: readonly NamedCommand[]): string {
  return sections([
    [`${version}: GraphQL over HTTP (September 2026), exactly as the specification says.`],
    ['Commands', ...named.map(({ name, command }) => row(name, command.summary))],
    [
      'More',
      row('help [command]', 'Shows this help, or the help of one command.'),
      row('--version', 'Shows the version.'),
    ],
    ...named.flatMap(describe),
    describeExitCodes(),
  ])
}

/** The help of one command. */
export function formatCommandHelp(named: NamedCommand): string {
  return sections([[named.command.summary], ...describe(named), describeExitCodes()])
}

type Section = readonly string[]

function describe({ name, command }: NamedCommand): readonly Section[] {
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
    lines.push(...wrap(`${flag.doc} Default: ${describeDefault(flag)}.`))
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

/** Lines of at most 100 columns, indented. */
function wrap(text: string): readonly string[] {
  const lines: string[] = []
  let line = '     '
  for (const word of text.split(' ')) {
    if (line.length + word.length >= 100) {
      lines.push(line)
      line = '     '
    }
    line += ` ${word}`
  }
  return [...lines, line]
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
