import type { DocumentOptions } from '../options/document-options.js'
import { optionShapes, type Options } from '../options/options.js'
import type { Shapes } from '../shapes/shape.js'

/** The options of `createHandler` that do not apply. Those of streams and files have no effect, so that surfaces can share options. */
type GraphQLOnly =
  | 'path'
  | 'credentialsFirst'
  | 'get'
  | 'getHeaders'
  | 'edition'
  | 'partialSuccessStatus'
  | 'introspection'
  | 'ide'
  | keyof DocumentOptions
  | 'etag'
  | 'cacheHints'
  | 'batch'

/** The options of all surfaces: those of `createHandler` that do not belong to GraphQL over HTTP alone. */
export interface SurfaceOptions<Raw = unknown, Principal = unknown> extends Omit<
  Options<Raw, Principal>,
  GraphQLOnly
> {}

const {
  path: _path,
  credentialsFirst: _credentialsFirst,
  get: _get,
  getHeaders: _getHeaders,
  edition: _edition,
  partialSuccessStatus: _partialSuccessStatus,
  introspection: _introspection,
  ide: _ide,
  documents: _documents,
  trustedOnly: _trustedOnly,
  documentPath: _documentPath,
  apq: _apq,
  onInvalidDocument: _onInvalidDocument,
  etag: _etag,
  cacheHints: _cacheHints,
  batch: _batch,
  ...shapes
} = optionShapes

/** The valid values of each option, for surfaces that have more. */
export const surfaceShapes: Shapes<SurfaceOptions> = shapes
