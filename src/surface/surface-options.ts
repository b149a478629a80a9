import { optionShapes, type Options } from '../options/options.js'
import type { Shapes } from '../shapes/shape.js'

/** The options of `createHandler` that do not apply. Those of streams and files have no effect, so that surfaces can share options. */
const graphqlOnly = [
  'path',
  'credentialsFirst',
  'get',
  'getHeaders',
  'edition',
  'partialSuccessStatus',
  'introspection',
  'ide',
  'documents',
  'trustedOnly',
  'documentPath',
  'apq',
  'onInvalidDocument',
  'etag',
  'cacheHints',
  'batch',
] as const

/** The options of all surfaces: those of `createHandler` that do not belong to GraphQL over HTTP alone. */
export interface SurfaceOptions<Raw = unknown, Principal = unknown> extends Omit<
  Options<Raw, Principal>,
  (typeof graphqlOnly)[number]
> {}

const isGraphqlOnly: ReadonlySet<string> = new Set(graphqlOnly)

/** The valid values of each option, for surfaces that have more. */
export const surfaceShapes: Shapes<SurfaceOptions> = Object.fromEntries(
  Object.entries(optionShapes).filter(([name]) => !isGraphqlOnly.has(name)),
) as Shapes<SurfaceOptions>
