import { limitRows, type LimitNumbers } from '../../graphql/limits/limits.js'
import { defineCommand, type Command } from '../arguments/define-command.js'
import { textType, type FlagTable } from '../arguments/flag.js'
import { fail } from '../process/cli-error.js'
import { numberFlags, numbersOf } from '../serve/flags/number-flags.js'

interface DocumentsFlags {
  readonly schema: string | undefined
}

const flags: FlagTable<DocumentsFlags> = {
  schema: {
    type: textType('file', 'the name of an SDL file'),
    default: undefined,
    env: [],
    group: 'Schema',
    doc: 'SDL file that the documents must fit.',
  },
  ...numberFlags(limitRows, 'Limits'),
}

/** Works with manifests of stored documents. */
export const documentsCommand: Command = defineCommand({
  summary: 'Checks manifests of stored documents against a schema and its limits.',
  usage: ['check <manifest.json>... --schema <schema.graphql> [flags]'],
  flags,
  async run(values, [action, ...files], terminal) {
    if (action !== 'check') {
      return fail('usage', `documents requires check, got ${JSON.stringify(action ?? '')}.`)
    }
    const { schema } = values
    if (schema.value === undefined) return fail('usage', 'documents check requires --schema.')
    if (files.length === 0) return fail('usage', 'documents check requires a manifest.')
    const { checkManifests } = await import('./check-manifests.js')
    const limits = numbersOf<LimitNumbers>(limitRows, values)
    return checkManifests({ schemaFile: schema.value, files, limits }, terminal)
  },
})
