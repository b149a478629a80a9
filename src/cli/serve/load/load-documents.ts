import type { DocumentSource, Outcome } from '../../../index.js'
import { findManifestFault, readManifest } from '../../../persisted/manifest.js'
import { fail, type CliError } from '../../process/cli-error.js'
import { readJsonFile } from './load-file.js'

/** The documents of manifests. Several clients have several manifests, in which an id must name the same text. */
export async function loadDocuments(
  files: readonly string[],
): Promise<Outcome<ReadonlyMap<string, string>, CliError>> {
  const texts = new Map<string, string>()
  for (const file of files) {
    const read = await readJsonFile(file)
    if (!read.ok) return read
    const { json } = read.value
    const fault = findManifestFault(json, file)
    if (fault !== undefined) return fail('configuration', fault)
    for (const [id, text] of readManifest(json as DocumentSource) ?? []) {
      if ((texts.get(id) ?? text) !== text) {
        return fail(
          'configuration',
          `${file}: the id ${JSON.stringify(id)} names another document in an earlier file.`,
        )
      }
      texts.set(id, text)
    }
  }
  return { ok: true, value: texts }
}
