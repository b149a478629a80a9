import { limitRows, type LimitNumbers } from '../../graphql/limits/limits.js'
import type { Outcome } from '../../index.js'
import { defineCommand, type Command, type Terminal } from '../arguments/define-command.js'
import {
  describeWords,
  inGroup,
  jsonFlag,
  numberFlags,
  numbersOf,
  switchType,
  textType,
  withVariables,
  type FlagTable,
  type FlagValues,
} from '../arguments/flag.js'
import { fail, type CliError } from '../process/cli-error.js'

interface DocumentsFlags {
  readonly schema: string | undefined
  readonly out: string | undefined
  readonly unused: boolean
  readonly json: boolean
}

const output = inGroup('Output')

/** The flags of `documents`. */
// oxfmt-ignore
export const documentsFlags: FlagTable<DocumentsFlags> = {
  schema: inGroup('Schema')(textType('file', 'the name of an SDL file'), undefined, 'SDL file that the documents must fit; check requires it.'),
  out:    output(textType('file', 'the name of a file'), undefined, 'Manifest that build writes.', { defaultText: 'stdout' }),
  unused: output(switchType, false, 'Also print the fields that no document selects; only for check.'),
  json:   jsonFlag,
  ...withVariables(numberFlags({ ...limitRows }, 'Limits')),
}

/** What the command is given, after its action. */
interface CommandWords {
  readonly flags: FlagValues<DocumentsFlags>
  readonly words: readonly string[]
  readonly terminal: Terminal
  /** What documents are checked against. */
  readonly schemaFile: string | undefined
  readonly limits: { readonly [name in keyof LimitNumbers]?: number }
  readonly json: boolean
}

const actions: {
  readonly [name: string]: (given: CommandWords) => Promise<Outcome<number, CliError>>
} = {
  async check({ flags, words, terminal, schemaFile, ...given }) {
    if (schemaFile === undefined) return fail('usage', 'documents check requires --schema.')
    if (words.length === 0) return fail('usage', 'documents check requires a manifest.')
    const { checkManifests } = await import('./check-manifests.js')
    return checkManifests(
      { ...given, schemaFile, files: words, unused: flags.unused.value },
      terminal,
    )
  },

  async build({ flags, words, terminal, ...given }) {
    if (words.length === 0) {
      return fail('usage', "documents build requires files, such as 'src/**/*.graphql'.")
    }
    if (given.json && flags.out.value === undefined) {
      return fail('usage', '--json requires --out: the manifest itself goes to stdout otherwise.')
    }
    const { buildManifest } = await import('./build-manifest.js')
    return buildManifest({ ...given, patterns: words, out: flags.out.value }, terminal)
  },

  async diff({ words, terminal, ...given }) {
    const [before, after] = words
    if (before === undefined || after === undefined || words.length > 2) {
      return fail('usage', `documents diff takes two manifests, got ${words.length}.`)
    }
    const { diffManifests } = await import('./diff-manifests.js')
    return diffManifests({ ...given, before, after }, terminal)
  },
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
  async run(flags, [action = '', ...words], terminal) {
    const run = Object.hasOwn(actions, action) ? actions[action] : undefined
    if (run === undefined) {
      const names = describeWords(Object.keys(actions))
      return fail('usage', `documents requires ${names}, got ${JSON.stringify(action)}.`)
    }
    if (action !== 'build' && flags.out.value !== undefined) {
      return fail('usage', '--out is a flag of documents build.')
    }
    if (action !== 'check' && flags.unused.value) {
      return fail('usage', '--unused is a flag of documents check.')
    }
    const limits = numbersOf<LimitNumbers>(limitRows, flags)
    const [schemaFile, json] = [flags.schema.value, flags.json.value]
    return run({ flags, words, terminal, schemaFile, limits, json })
  },
})
