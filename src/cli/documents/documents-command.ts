import { limitRows, type LimitNumbers } from '../../graphql/limits/limits.js'
import type { Outcome } from '../../index.js'
import { defineCommand, type Command, type Terminal } from '../arguments/define-command.js'
import {
  describeWords,
  switchType,
  textType,
  type FlagTable,
  type FlagValues,
} from '../arguments/flag.js'
import { fail, type CliError } from '../process/cli-error.js'
import { numberFlags, numbersOf } from '../serve/flags/number-flags.js'

interface DocumentsFlags {
  readonly schema: string | undefined
  readonly out: string | undefined
  readonly unused: boolean
  readonly json: boolean
}

/** The flags of `documents`. */
export const documentsFlags: FlagTable<DocumentsFlags> = {
  schema: {
    type: textType('file', 'the name of an SDL file'),
    default: undefined,
    env: [],
    group: 'Schema',
    doc: 'SDL file that the documents must fit; check requires it.',
  },
  out: {
    type: textType('file', 'the name of a file'),
    default: undefined,
    defaultText: 'stdout',
    env: [],
    group: 'Output',
    doc: 'Manifest that build writes.',
  },
  unused: {
    type: switchType,
    default: false,
    env: [],
    group: 'Output',
    doc: 'Also print the fields that no document selects; only for check.',
  },
  json: {
    type: switchType,
    default: false,
    env: [],
    group: 'Output',
    doc: 'Print JSON.',
  },
  ...numberFlags(limitRows, 'Limits'),
}

type Flags = FlagValues<DocumentsFlags>
type Action = (
  flags: Flags,
  files: readonly string[],
  terminal: Terminal,
) => Promise<Outcome<number, CliError>>

const actions: { readonly [name: string]: Action } = {
  async check(flags, files, terminal) {
    if (flags.out.value !== undefined) return onlyOfBuild
    const { value: schemaFile } = flags.schema
    if (schemaFile === undefined) return fail('usage', 'documents check requires --schema.')
    if (files.length === 0) return fail('usage', 'documents check requires a manifest.')
    const { checkManifests } = await import('./check-manifests.js')
    const { json, unused } = flags
    return checkManifests(
      { schemaFile, limits: limitsOf(flags), files, json: json.value, unused: unused.value },
      terminal,
    )
  },

  async build(flags, patterns, terminal) {
    const { schema, out, json } = flags
    if (flags.unused.value) return onlyOfCheck
    if (patterns.length === 0) {
      return fail('usage', "documents build requires files, such as 'src/**/*.graphql'.")
    }
    if (json.value && out.value === undefined) {
      return fail('usage', '--json requires --out: the manifest itself goes to stdout otherwise.')
    }
    const { buildManifest } = await import('./build-manifest.js')
    const limits = limitsOf(flags)
    return buildManifest(
      { schemaFile: schema.value, limits, patterns, out: out.value, json: json.value },
      terminal,
    )
  },

  async diff(flags, files, terminal) {
    if (flags.out.value !== undefined) return onlyOfBuild
    if (flags.unused.value) return onlyOfCheck
    const [before, after] = files
    if (before === undefined || after === undefined || files.length > 2) {
      return fail('usage', `documents diff takes two manifests, got ${files.length}.`)
    }
    const { diffManifests } = await import('./diff-manifests.js')
    const { schema, json } = flags
    return diffManifests(
      { schemaFile: schema.value, limits: limitsOf(flags), before, after, json: json.value },
      terminal,
    )
  },
}

const onlyOfBuild = fail('usage', '--out is a flag of documents build.')
const onlyOfCheck = fail('usage', '--unused is a flag of documents check.')

function limitsOf(flags: Flags): { readonly [name in keyof LimitNumbers]?: number } {
  return numbersOf<LimitNumbers>(limitRows, flags)
}

/** Works with manifests of stored documents. */
export const documentsCommand: Command = defineCommand({
  summary: 'Builds, checks and compares manifests of stored documents.',
  usage: [
    "build <'src/**/*.graphql'>... [--out <manifest.json>] [flags]",
    'check <manifest.json>... --schema <schema.graphql> [flags]',
    'diff <before.json> <after.json> [--schema <schema.graphql>] [flags]',
  ],
  flags: documentsFlags,
  async run(values, [action = '', ...files], terminal) {
    const run = Object.hasOwn(actions, action) ? actions[action] : undefined
    if (run !== undefined) return run(values, files, terminal)
    const names = describeWords(Object.keys(actions))
    return fail('usage', `documents requires ${names}, got ${JSON.stringify(action)}.`)
  },
})
