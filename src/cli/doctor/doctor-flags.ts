import {
  inGroup,
  integerType,
  jsonFlag,
  switchType,
  textType,
  type ValuesOf,
} from '../arguments/flag.js'
import { conformFlags } from '../conform/conform-flags.js'

const project = inGroup('Project')
const server = inGroup('Server')

// oxfmt-ignore
export const doctorFlags = {
  production:      project(switchType, undefined, 'Judge the options of the module as those of a production server.', { defaultText: 'on if NODE_ENV=production' }),
  'balancer-idle': project(integerType(1, 86_400, 's'), undefined, 'How long the load balancer keeps idle connections, to compare with the server.'),
  url:             server(textType('url', 'a URL such as https://example.com/graphql'), undefined, 'Check a running server through its proxies, instead of a project.'),
  partial:         server(textType('query', 'a query with a field that fails'), undefined, 'A query with a field that fails, to see whether 294 arrives.'),
  header:          { ...conformFlags.header, group: 'Server' },
  timeout:         { ...conformFlags.timeout, group: 'Server' },
  insecure:        { ...conformFlags.insecure, group: 'Server' },
  json:            jsonFlag,
}

export type DoctorFlags = ValuesOf<typeof doctorFlags>
