import { editionNames } from '../../conformance/suite/editions.js'
import { defaultEdition } from '../../over-http/editions.js'
import { editionType, inGroup, jsonFlag, type ValuesOf } from '../arguments/flag.js'
import { conformFlags } from '../conform/conform-flags.js'
import { serveFlags } from '../serve/flags/serve-flags.js'

const handlerGroup = 'In process: the options of the handler'
const serverGroup = 'Against a URL'

/** The flags of `explain`; those of the handler are those of `serve`, with their variables. */
export const explainFlags = {
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

export type ExplainFlags = ValuesOf<typeof explainFlags>
