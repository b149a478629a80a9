import { limitRows, type LimitNumbers } from '../../graphql/limits/limits.js'
import { defineCommand, type Command } from '../arguments/define-command.js'
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
} from '../arguments/flag.js'
import type { DocumentsFlags, DocumentsPlan } from './check-manifests.js'
import { fail, type Exit } from '../process/exit.js'
import type { Terminal } from '../process/terminal.js'

const output = inGroup('Output')

// oxfmt-ignore
export const documentsFlags: FlagTable<DocumentsFlags> = {
  schema: inGroup('Schema')(textType('file', 'the name of an SDL file'), undefined, 'SDL file that the documents must fit; check requires it.'),
  out:    output(textType('file', 'the name of a file'), undefined, 'Manifest that build writes.', { defaultText: 'stdout' }),
  unused: output(switchType, false, 'Also print the fields that no document selects; only for check.'),
  json:   jsonFlag,
  ...withVariables(numberFlags({ ...limitRows }, 'Limits')),
}

type Action = (plan: DocumentsPlan, terminal: Terminal) => Promise<Exit>

const actions: { readonly [name: string]: Action } = {
  async check(plan, terminal) {
    if (plan.schema === undefined) fail('usage', 'documents check requires --schema.')
    if (plan.words.length === 0) fail('usage', 'documents check requires a manifest.')
    return (await import('./check-manifests.js')).checkManifests(plan, terminal)
  },

  async build(plan, terminal) {
    if (plan.words.length === 0) {
      fail('usage', "documents build requires files, such as 'src/**/*.graphql'.")
    }
    if (plan.json && plan.out === undefined) {
      fail('usage', '--json requires --out: the manifest itself goes to stdout otherwise.')
    }
    return (await import('./build-manifest.js')).buildManifest(plan, terminal)
  },

  async diff(plan, terminal) {
    const { length } = plan.words
    if (length !== 2) fail('usage', `documents diff takes two manifests, got ${length}.`)
    return (await import('./diff-manifests.js')).diffManifests(plan, terminal)
  },
}

export const documentsCommand: Command = defineCommand({
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
    const plan = {
      words,
      out: flags.out.value,
      unused: flags.unused.value,
      json: flags.json.value,
      schema: flags.schema.value,
      limits: numbersOf<LimitNumbers>(limitRows, flags),
    }
    return run(plan, terminal)
  },
})
