import type { LimitName } from '../../index.js'
import { integerType, listType, switchType, type FlagTable, type FlagType } from '../flag.js'

/** What `serve` can be told of the size and the work of requests. */
export interface LimitFlags {
  readonly timeout: number
  readonly 'max-body': number
  readonly gzip: boolean
  readonly 'max-tokens': number
  readonly 'max-depth': number
  readonly 'max-aliases': number
  readonly 'max-cost': number
  readonly 'report-only': ReportOnly
  readonly 'max-in-flight': number
  readonly 'max-event-loop-delay': number | undefined
}

/** The limits that only report, by the names of their options. */
export type ReportOnly = 'all' | readonly LimitName[]

const limitName: FlagType<LimitName> = {
  placeholder: 'limit',
  expected: 'limits by the names of their options, such as maxDepth',
  // The handler knows the names, and says which ones there are.
  read: (text) => (/^max[A-Z][A-Za-z]*$/.test(text) ? (text as LimitName) : undefined),
}

const several = listType(limitName)

const reportOnlyType: FlagType<ReportOnly> = {
  placeholder: 'limits',
  expected: `${several.expected}, or all`,
  read: (text) => (text === 'all' ? 'all' : several.read(text)),
  combine: (lists) =>
    lists.includes('all') ? 'all' : lists.flatMap((list) => (list === 'all' ? [] : list)),
}

const longestTimer = 2_147_483_647
const group = 'What a request may be'

/** The flags of `serve` for the size and the work of requests. */
export const limitFlags: FlagTable<LimitFlags> = {
  timeout: {
    type: integerType(1, longestTimer, 'ms'),
    default: 10_000,
    env: ['GRAPHWIRE_TIMEOUT'],
    group,
    doc: 'How long an operation may take, in milliseconds.',
  },
  'max-body': {
    type: integerType(1, 1_073_741_824, 'bytes'),
    default: 1_048_576,
    env: ['GRAPHWIRE_MAX_BODY'],
    group,
    doc: 'The largest request body, in bytes.',
  },
  gzip: {
    type: switchType,
    default: false,
    env: ['GRAPHWIRE_GZIP'],
    group,
    doc: 'Whether bodies may come compressed, by gzip, br or deflate.',
  },
  'max-tokens': limit(2_000, 'GRAPHWIRE_MAX_TOKENS', 'The most tokens of a document.'),
  'max-depth': limit(16, 'GRAPHWIRE_MAX_DEPTH', 'How deep fields may be nested.'),
  'max-aliases': limit(30, 'GRAPHWIRE_MAX_ALIASES', 'The most aliases of a document.'),
  'max-cost': limit(10_000, 'GRAPHWIRE_MAX_COST', 'The most that an operation may cost.'),
  'report-only': {
    type: reportOnlyType,
    default: [],
    defaultText: 'none',
    env: ['GRAPHWIRE_REPORT_ONLY'],
    group,
    doc: 'Limits that report and refuse nothing, such as maxDepth,maxCost.',
  },
  'max-in-flight': limit(
    1_000,
    'GRAPHWIRE_MAX_IN_FLIGHT',
    'The most requests that a process answers at a time.',
  ),
  'max-event-loop-delay': {
    type: integerType(1, longestTimer, 'ms'),
    default: undefined,
    defaultText: 'off',
    env: ['GRAPHWIRE_MAX_EVENT_LOOP_DELAY'],
    group,
    doc: 'How late the process may run before it refuses requests.',
  },
}

function limit(initial: number, variable: string, doc: string): FlagTable<LimitFlags>['max-depth'] {
  return { type: integerType(1, 1_000_000_000), default: initial, env: [variable], group, doc }
}
