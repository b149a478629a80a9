import { fixturesFolder, openFixtures } from '../../../conformance/suite/fixture-files.js'
import type { ServeOptions } from '../../../hosts/node/index.js'
import { importInstalled } from '../../process/import-installed.js'
import { fail } from '../../process/exit.js'

type CapabilityOptions = Partial<ServeOptions>

const uploadsPackage = '@graphwire/uploads'

/** The optional capabilities that the suite can test, and the options that turn them on. */
const capabilities: {
  readonly [name: string]: () => CapabilityOptions | Promise<CapabilityOptions>
} = {
  documents: () => ({ documents: suiteDocuments() }),
  'document-path': () => ({ documentPath: true }),
  apq: () => ({ apq: {} }),
  batching: () => ({ batch: {} }),
  caching: () => ({ etag: true, cacheHints: true }),
  async uploads() {
    type Package = { readonly uploads: () => CapabilityOptions['uploads'] }
    const install = `--capabilities uploads requires a package: npm install ${uploadsPackage}.`
    const found = await importInstalled<Package>(uploadsPackage)
    return { uploads: (found ?? fail('configuration', install)).uploads() }
  },
  // The origin that the suite `cors-csrf` uses, and the headers that it reads.
  cors: () => ({
    cors: {
      origins: ['https://allowed.example'],
      credentials: true,
      exposedHeaders: ['Retry-After'],
    },
  }),
  // The suite waits for five seconds.
  'request-timeout': () => ({ headersTimeout: 3_000, requestTimeout: 3_000 }),
}

export const capabilityNames: readonly string[] = Object.keys(capabilities)

export async function optionsOf(chosen: readonly string[] | 'all'): Promise<CapabilityOptions> {
  const names = chosen === 'all' ? capabilityNames : chosen
  const options = await Promise.all(names.map(async (name) => capabilities[name]?.()))
  return Object.assign({}, ...options) as CapabilityOptions
}

/** The documents that the suite `persisted` names. */
function suiteDocuments(): { readonly [id: string]: string } {
  const text = openFixtures(fixturesFolder).read('optional/persisted-documents.json')
  const { documents, custom, standard } = JSON.parse(text) as {
    readonly [kind in 'documents' | 'custom' | 'standard']: { readonly [id: string]: string }
  }
  return { ...documents, ...custom, ...standard }
}
