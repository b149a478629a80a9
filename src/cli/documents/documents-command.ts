import { limitRows } from '../../graphql/limits/limits.js'
import type { Command } from '../arguments/command.js'
import {
  describeWords,
  inGroup,
  jsonFlag,
  numberFlags,
  switchType,
  textType,
  withVariables,
  type FlagTable,
} from '../arguments/flag.js'
import type { DocumentsCall, DocumentsFlags } from './check-manifests.js'
import { fail, type Exit } from '../process/exit.js'

const output = inGroup('Output')

// oxfmt-ignore
export const documentsFlags: FlagTable<DocumentsFlags> = {
  schema: inGroup('Schema')(textType('file', 'the name of an SDL file'), undefined, 'SDL file that the documents must fit; check requires it.'),
  out:    output(textType('file', 'the name of a file'), undefined, 'Manifest that build writes.', { defaultText: 'stdout' }),
  unused: output(switchType, false, 'Also print the fields that no document selects; only for check.'),
  json:   jsonFlag,
  ...withVariables(numberFlags({ ...limitRows }, 'Limits')),
}

type Action = (call: DocumentsCall) => Promise<Exit>

const actions: { readonly [name: string]: Action } = {
  async check(call) {
    if (call.flags.schema.value === undefined) fail('usage', 'documents check requires --schema.')
    if (call.words.length === 0) fail('usage', 'documents check requires a manifest.')
    return (await import('./check-manifests.js')).checkManifests(call)
  },

  async build(call) {
    const { flags, words } = call
    if (words.length === 0) {
      fail('usage', "documents build requires files, such as 'src/**/*.graphql'.")
    }
    if (flags.json.value && flags.out.value === undefined) {
      fail('usage', '--json requires --out: the manifest itself goes to stdout otherwise.')
    }
    return (await import('./build-manifest.js')).buildManifest(call)
  },

  async diff(call) {
    const { length } = call.words
    if (length !== 2) fail('usage', `documents diff takes two manifests, got ${length}.`)
    return (await import('./diff-manifests.js')).diffManifests(call)
  },
}

export const documentsCommand: Command<DocumentsFlags> = {
  summary: 'Builds, checks and compares manifests of stored documents.',
  usage: [
    "build <'src/**/*.graphql'>... [--out <manifest.json>] [flags]",
    'check <manifest.json>... --schema <schema.graphql> [flags]',
    'diff <before.json> <after.json> [--schema <schema.graphql>] [flags]',
  ],
  flags: documentsFlags,
  async run({ flags, words: [action = '', ...words], terminal }) {
    const run = Object.hasOwn(actions, action) ? actions[action] : undefined
    if (run === undefined) {
      const names = describeWords(Object.keys(actions))
      fail('usage', `documents requires ${names}, got ${JSON.stringify(action)}.`)
    }
    if (action !== 'build' && flags.out.value !== undefined) {
      fail('usage', '--out is a flag of documents build.')
    }
    if (action !== 'check' && flags.unused.value) {
      fail('usage', '--unused is a flag of documents check.')
    }
    return run({ flags, words, terminal })
  },
}
