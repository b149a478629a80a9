import { fixturesFolder, openFixtures } from '../../../conformance/suite/fixture-files.js'
import type { UploadReader } from '../../../options/upload-reader.js'
import type { CorsOptions, Outcome } from '../../../index.js'
import type { ServeOptions } from '../../../hosts/node/index.js'
import { describeWords, type FlagType } from '../../arguments/flag.js'
import { fail, type CliError } from '../../process/cli-error.js'
import { importInstalled } from '../../process/import-installed.js'

/** The optional capabilities that the suite can test. */
export type CapabilityName =
  | 'documents'
  | 'document-path'
  | 'apq'
  | 'batching'
  | 'caching'
  | 'uploads'
  | 'cors'
  | 'request-timeout'

type CapabilityOptions = Partial<ServeOptions>

/** The options that turn each of them on; undefined without the package. To add one, add its name above, and a row. */
const capabilities: {
  readonly [name in CapabilityName]: () =>
    | CapabilityOptions
    | Promise<CapabilityOptions | undefined>
} = {
  documents: () => ({ documents: suiteDocuments() }),
  'document-path': () => ({ documentPath: true }),
  apq: () => ({ apq: {} }),
  batching: () => ({ batch: {} }),
  caching: () => ({ etag: true, cacheHints: true }),
  uploads: async () => {
    const found = await importInstalled<{ readonly uploads: () => UploadReader }>(uploadsPackage)
    return found && { uploads: found.uploads() }
  },
  cors: () => ({ cors: suiteOrigins }),
  // The suite waits for five seconds.
  'request-timeout': () => ({ headersTimeout: 3_000, requestTimeout: 3_000 }),
}

const uploadsPackage = '@graphwire/uploads'

export const capabilityNames: readonly CapabilityName[] = Object.keys(
  capabilities,
) as CapabilityName[]

/** Names of capabilities separated by commas, or the word `all`. */
export const capabilitiesType: FlagType<readonly CapabilityName[]> = {
  placeholder: 'capability',
  expected: `all, or a list of ${describeWords(capabilityNames)}`,
  read(text) {
    const read = text.split(',').flatMap((word) => (word === 'all' ? capabilityNames : word))
    return read.every(isName) ? read : undefined
  },
  combine: (lists) => [...new Set(lists.flat())],
}

function isName(word: string): word is CapabilityName {
  return Object.hasOwn(capabilities, word)
}

/** The options of a server with these capabilities. */
export async function optionsOf(
  chosen: readonly CapabilityName[],
): Promise<Outcome<CapabilityOptions, CliError>> {
  const options = await Promise.all(chosen.map(async (name) => capabilities[name]()))
  if (!options.includes(undefined)) {
    return { ok: true, value: Object.assign({}, ...options) as CapabilityOptions }
  }
  return fail(
    'configuration',
    `--capabilities uploads requires a package: npm install ${uploadsPackage}.`,
  )
}

/** The origin that the suite `cors-csrf` uses, and the headers that it reads. */
const suiteOrigins: CorsOptions = {
  origins: ['https://allowed.example'],
  credentials: true,
  exposedHeaders: ['Retry-After'],
}

/** The documents that the suite `persisted` names. */
function suiteDocuments(): { readonly [id: string]: string } {
  const text = openFixtures(fixturesFolder).read('optional/persisted-documents.json')
  const { documents, custom, standard } = JSON.parse(text) as SuiteDocuments
  return { ...documents, ...custom, ...standard }
}

interface SuiteDocuments {
  readonly documents: { readonly [id: string]: string }
  readonly custom: { readonly [id: string]: string }
  readonly standard: { readonly [id: string]: string }
}
