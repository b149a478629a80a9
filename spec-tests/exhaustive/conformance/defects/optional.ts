import { optionsOf, capabilityNames } from '../../../../src/cli/serve/flags/capabilities.js'
import { header } from './around.js'
import { cachingDefects, corsDefects } from './caching-defects.js'
import { listDefects, type Layers, type Transformation } from './defect.js'
import {
  apqDefects,
  batchDefects,
  documentDefects,
  proposals,
  serviceDefects,
} from './document-defects.js'
import { client } from './http-defects.js'
import { csrfDefects, queryDefects } from './query-defects.js'
import { startServer, type RunningServer } from './start-server.js'
import { uploadDefects } from './upload-defects.js'

/** The defects that the optional suites must find. */
export const optionalDefects = listDefects(
  queryDefects,
  cachingDefects,
  corsDefects,
  csrfDefects,
  batchDefects,
  documentDefects,
  apqDefects,
  serviceDefects,
  uploadDefects,
)

/** No defect: no case may find anything. */
export const weakTags: Layers = header('etag', (value) => value && `W/${value}`)

/** No defect either: the server closes its connections. */
export const closing: Layers = client((bytes) =>
  bytes.replace(/^[A-Z]+ \S+ HTTP\/1\.1\r\n/, '$&Connection: close\r\n'),
)

/** Starts a server with everything that the optional suites look at. */
export async function startOptionalServer(transformation?: Transformation): Promise<RunningServer> {
  const options = await optionsOf(capabilityNames.filter((name) => name !== 'request-timeout'))
  return startServer(transformation, options, [proposals])
}
