import { editionNames, type EditionName } from '../../conformance/suite/editions.js'
import { defaultEdition } from '../../over-http/editions.js'
import { editionType, inGroup, jsonFlag, type FlagTable } from '../arguments/flag.js'
import { conformFlags, type ConformFlags } from '../conform/conform-flags.js'
import { serveFlags, type ServeFlags } from '../serve/flags/serve-flags.js'

type SchemaFlags = Pick<ServeFlags, 'resolvers' | 'data' | 'standard' | 'path' | 'cors' | 'get'>
type TargetFlags = Pick<ConformFlags, 'timeout' | 'insecure'>

export interface ExplainFlags extends SchemaFlags, TargetFlags {
  readonly edition: EditionName
  readonly json: boolean
}

const handlerGroup = 'In process: the options of the handler'
const serverGroup = 'Against a URL'

/** The flags of `explain`; those of the handler are those of `serve`, with their variables. */
export const explainFlags: FlagTable<ExplainFlags> = {
  resolvers: { ...serveFlags.resolvers, group: handlerGroup },
  data: { ...serveFlags.data, group: handlerGroup },
  standard: { ...serveFlags.standard, group: handlerGroup },
  path: { ...serveFlags.path, group: handlerGroup },
  cors: { ...serveFlags.cors, group: handlerGroup },
  get: { ...serveFlags.get, group: handlerGroup },
  edition: inGroup('Output')(
    editionType(...editionNames),
    defaultEdition,
    'Edition of GraphQL over HTTP. In process, one that the engine has.',
  ),
  timeout: { ...conformFlags.timeout, group: serverGroup },
  insecure: { ...conformFlags.insecure, group: serverGroup },
  json: jsonFlag,
}
