import { runRows } from '../../conformance/run/run-numbers.js'
import type { FieldLine } from '../../conformance/wire/exchange.js'
import { integerType, rowFlag, switchType, textType, type FlagTable } from '../arguments/flag.js'
import { conformFlags } from '../conform/conform-flags.js'

/** The values of the flags of `doctor`. */
export interface DoctorFlags {
  readonly production: boolean | undefined
  readonly url: string | undefined
  readonly partial: string | undefined
  readonly header: readonly FieldLine[]
  readonly 'balancer-idle': number | undefined
  readonly timeout: number
  readonly insecure: boolean
  readonly json: boolean
}

const projectGroup = 'Project'
const serverGroup = 'Server'
const outputGroup = 'Output'

/** The flags of `doctor`. */
export const doctorFlags: FlagTable<DoctorFlags> = {
  production: {
    type: switchType,
    default: undefined,
    defaultText: 'on if NODE_ENV=production',
    env: [],
    group: projectGroup,
    doc: 'Judge the options of the module as those of a production server.',
  },
  'balancer-idle': {
    type: integerType(1, 86_400, 's'),
    default: undefined,
    env: [],
    group: projectGroup,
    doc: 'How long the load balancer keeps idle connections, to compare with the server.',
  },
  url: {
    type: textType('url', 'a URL such as https://example.com/graphql'),
    default: undefined,
    env: [],
    group: serverGroup,
    doc: 'Check a running server through its proxies, instead of a project.',
  },
  partial: {
    type: textType('query', 'a query with a field that fails'),
    default: undefined,
    env: [],
    group: serverGroup,
    doc: 'A query with a field that fails, to see whether 294 arrives.',
  },
  header: { ...conformFlags.header, group: serverGroup },
  timeout: rowFlag(runRows.timeout, serverGroup),
  insecure: { ...conformFlags.insecure, group: serverGroup },
  json: {
    type: switchType,
    default: false,
    env: [],
    group: outputGroup,
    doc: 'Print JSON.',
  },
}
