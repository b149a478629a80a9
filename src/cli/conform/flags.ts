import type { EditionName, FieldLine, ReporterName } from '../../conformance/index.js'
import { choiceType, integerType, listType, switchType, textType, type FlagTable } from '../flag.js'
import { headerType } from './header-type.js'

/** What `conform` can be told. */
export interface ConformFlags {
  readonly edition: EditionName
  readonly suite: readonly string[]
  readonly case: readonly string[]
  readonly standard: boolean
  readonly 'known-failures': string | undefined
  readonly list: boolean
  readonly target: string | undefined
  readonly header: readonly FieldLine[]
  readonly start: string | undefined
  readonly timeout: number
  readonly concurrency: number
  readonly insecure: boolean
  readonly reporter: ReporterName
  readonly output: string | undefined
  readonly verbose: boolean
}

const what = 'What runs'
const where = 'The target'
const report = 'The report'

/** The flags of `conform`. They have no variables: those of `serve` would reach both under --start. */
export const conformFlags: FlagTable<ConformFlags> = {
  edition: {
    type: choiceType<EditionName>('2026-08', '2026-04', '2025-05', '2024-01', 'next'),
    default: '2026-08',
    env: [],
    group: what,
    doc: 'The edition of GraphQL over HTTP.',
  },
  suite: {
    type: listType(textType('name', 'the name of a suite')),
    default: [],
    defaultText: 'all',
    env: [],
    group: what,
    doc: 'Runs these suites only.',
  },
  case: {
    type: listType(textType('id', 'the id of a case')),
    default: [],
    defaultText: 'all',
    env: [],
    group: what,
    doc: 'Runs these cases only; the beginning of an id takes all that have it.',
  },
  standard: {
    type: switchType,
    default: false,
    env: [],
    group: what,
    doc: 'The target serves the standard schema; its data is changed and given back.',
  },
  'known-failures': {
    type: textType('file', 'the name of a file'),
    default: undefined,
    env: [],
    group: what,
    doc: 'A file of cases that are known to fail, an id and a reason a line.',
  },
  list: {
    type: switchType,
    default: false,
    env: [],
    group: what,
    doc: 'Lists what would run, and sends nothing.',
  },
  target: {
    type: textType('file', 'the name of a target file'),
    default: undefined,
    env: [],
    group: where,
    doc: 'A JSON file about the target; flags win over it.',
  },
  header: {
    type: headerType,
    default: [],
    defaultText: 'none',
    env: ['GRAPHWIRE_HEADER'],
    group: where,
    doc: 'A header for every request; may be given several times.',
  },
  start: {
    type: textType('command', 'a command of the shell'),
    default: undefined,
    env: [],
    group: where,
    doc: 'Starts the target, waits until it takes connections, and stops it in the end.',
  },
  timeout: {
    type: integerType(1, 60_000, 'ms'),
    default: 5000,
    env: [],
    group: where,
    doc: 'How long one answer may take, in milliseconds.',
  },
  concurrency: {
    type: integerType(1, 64),
    default: 4,
    env: [],
    group: where,
    doc: 'How many cases run at once.',
  },
  insecure: {
    type: switchType,
    default: false,
    env: [],
    group: where,
    doc: 'Takes a certificate that nobody vouches for.',
  },
  reporter: {
    type: choiceType<ReporterName>('pretty', 'tap', 'json', 'junit', 'markdown', 'html'),
    default: 'pretty',
    env: [],
    group: report,
    doc: 'The form of the report.',
  },
  output: {
    type: textType('file', 'the name of a file'),
    default: undefined,
    defaultText: 'stdout',
    env: [],
    group: report,
    doc: 'The file that the report goes to.',
  },
  verbose: {
    type: switchType,
    default: false,
    env: [],
    group: report,
    doc: 'Shows every case, the bytes of both sides, and what the started target prints.',
  },
}
