import {
  inGroup,
  integerType,
  jsonFlag,
  switchType,
  textType,
  type FlagTable,
} from '../arguments/flag.js'
import { conformFlags, type ConformFlags } from '../conform/conform-flags.js'

export interface DoctorFlags extends Pick<ConformFlags, 'header' | 'timeout' | 'insecure'> {
  readonly production: boolean | undefined
  readonly url: string | undefined
  readonly partial: string | undefined
  readonly 'balancer-idle': number | undefined
  readonly json: boolean
}

const project = inGroup('Project')
const server = inGroup('Server')

// oxfmt-ignore
export const doctorFlags: FlagTable<DoctorFlags> = {
  production:      project(switchType, undefined, 'Judge the options of the module as those of a production server.', { defaultText: 'on if NODE_ENV=production' }),
  'balancer-idle': project(integerType(1, 86_400, 's'), undefined, 'How long the load balancer keeps idle connections, to compare with the server.'),
  url:             server(textType('url', 'a URL such as https://example.com/graphql'), undefined, 'Check a running server through its proxies, instead of a project.'),
  partial:         server(textType('query', 'a query with a field that fails'), undefined, 'A query with a field that fails, to see whether 294 arrives.'),
  header:          { ...conformFlags.header, group: 'Server' },
  timeout:         { ...conformFlags.timeout, group: 'Server' },
  insecure:        { ...conformFlags.insecure, group: 'Server' },
  json:            jsonFlag,
}
