import { exitCodes } from '../exit-codes.js'
import { defaultOf, spellingOf, type Flag } from './flag.js'

/** The contents of `--help` for one or several commands. */
export interface Help {
  readonly summary: string
  /** Command lines, each with what it does, unless that is the summary. */
  readonly usage: readonly (readonly [words: string, doc?: string])[]
  readonly flags: readonly Flag<unknown>[]
  readonly notes?: readonly string[]
}

/** The text of `--help`. */
export function formatHelp({ summary, usage, flags, notes = [] }: Help): string {
  const withFlag = flags.filter(({ flag }) => flag !== undefined)
  const withoutFlag = flags.filter(({ flag }) => flag === undefined)
  const sections = [
    [summary],
    ['Usage', ...usage.flatMap(([words, doc]) => [`  ${words}`, ...(doc ? wrap(doc) : [])])],
    ['Flags', ...withFlag.flatMap((flag) => describe(row(spellingOf(flag), flag.env, 32), flag))],
    [
      'Environment only',
      ...withoutFlag.flatMap((flag) => describe(`  ${flag.env}=<${flag.placeholder}>`, flag)),
      ...notes,
    ],
    [
      'Exit codes',
      ...Object.values(exitCodes).map(({ code, meaning }) => row(String(code), meaning, 5)),
    ],
  ]
  const shown = sections.filter((lines) => lines.length > 1 || lines[0] === summary)
  return `${shown.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

function describe(spelling: string, flag: Flag<unknown>): readonly string[] {
  const { doc, isRequired } = flag
  return [spelling, ...wrap(`${doc} ${isRequired ? 'Required' : `Default: ${defaultOf(flag)}`}.`)]
}

function row(term: string, text: string | undefined, width: number): string {
  return `  ${text === undefined ? term : `${term.padEnd(width)} ${text}`}`
}

/** Lines of at most 100 columns, indented. */
function wrap(text: string): readonly string[] {
  return text.match(/\S.{0,92}\S(?= |$)/g)?.map((line) => `      ${line}`) ?? []
}
