import { describeDefault } from '../../src/cli/arguments/command.js'
import { switchType, type AnyFlagTable, type Flag } from '../../src/cli/arguments/flag.js'
import { conformFlags } from '../../src/cli/conform/conform-flags.js'
import { doctorFlags } from '../../src/cli/doctor/doctor-flags.js'
import { documentsFlags } from '../../src/cli/documents/documents-command.js'
import { explainFlags } from '../../src/cli/explain/explain-flags.js'
import { initFlags } from '../../src/cli/init/init-flags.js'
import { serveFlags } from '../../src/cli/serve/flags/serve-flags.js'
import { formatTable, joinSections } from './markdown.js'

/** The commands with their flags, and the page that explains each. */
// oxfmt-ignore
export const commands: readonly [command: string, flags: AnyFlagTable, page: string][] = [
  ['serve',     serveFlags,     'cli.md'],
  ['conform',   conformFlags,   'conform.md'],
  ['explain',   explainFlags,   'tools.md#explain'],
  ['doctor',    doctorFlags,    'tools.md#doctor'],
  ['init',      initFlags,      'tools.md#init'],
  ['documents', documentsFlags, 'documents.md#manifests'],
]

/** The page of flags: each with its default, as `--help` has it. */
export function makeFlagsPage(): string {
  const about =
    'The flags of each command, as its `--help` shows them. Each flag of `serve` has a variable: `GRAPHWIRE_` and its name, such as `GRAPHWIRE_MAX_DEPTH`.'
  const parts = commands.map(([command, flags, page]) => {
    const rows = Object.entries(flags as { readonly [name: string]: Flag<unknown> }).map(toRow)
    const table = formatTable([['Flag', 'Default', 'Meaning'], ...rows])
    return `## ${command}\n\n[What it does](${page}).\n\n${table}`
  })
  return joinSections(['# Flags', about, ...parts])
}

function toRow([name, flag]: [name: string, flag: Flag<unknown>]): readonly string[] {
  const { doc, env, type } = flag
  const written = type === switchType ? `--${name}` : `--${name} <${type.placeholder}>`
  const others = env.filter((one) => one !== `GRAPHWIRE_${name.toUpperCase().replaceAll('-', '_')}`)
  const variables = others.map((one) => ` Variable: \`${one}\`.`).join('')
  return [`\`${written}\``, describeDefault(flag), `${doc}${variables}`].map((cell) =>
    cell.replaceAll('|', '\\|'),
  )
}
