import type { FailOn } from './exit-code-of.js'
import type { EditionName, FieldLine, ReporterName } from '../../conformance/index.js'
import { defaultEdition, editionNames } from '../../conformance/suite/editions.js'
import { runRows } from '../../conformance/run/run-numbers.js'
import { editionType } from '../arguments/edition-type.js'
import {
  choiceType,
  listType,
  rowFlag,
  switchType,
  textType,
  type FlagTable,
  type FlagType,
} from '../arguments/flag.js'

/** The values of the flags of `conform`. */
export interface ConformFlags {
  readonly edition: readonly EditionName[]
  readonly suite: readonly string[]
  readonly case: readonly string[]
  readonly standard: boolean
  readonly 'known-failures': string | undefined
  readonly 'write-known-failures': string | undefined
  readonly list: boolean
  readonly target: string | undefined
  readonly header: readonly FieldLine[]
  readonly start: string | undefined
  readonly timeout: number
  readonly concurrency: number
  readonly 'max-duration': number
  readonly insecure: boolean
  readonly 'fail-on': FailOn
  readonly reporter: ReporterName
  readonly output: string | undefined
  readonly verbose: boolean
}

/** `Name: value`. A comma can be part of the value, so the flag is repeated instead. */
const headerType: FlagType<readonly FieldLine[]> = {
  placeholder: 'name: value',
  expected: 'a header such as "Authorization: Bearer abc"',
  read(text) {
    // RFC 9110 sections 5.1 and 5.5. The check of the conformance suite is not used: help would load undici.
    const line = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([\t\u0020-\u007e\u0080-\u00ff]*)$/.exec(text)
    const [, name = '', value = ''] = line ?? []
    return line === null ? undefined : [[name, value.trimEnd()]]
  },
  combine: (lines) => lines.flat(),
}

const caseGroup = 'Cases'
const targetGroup = 'Target'
const report = 'Report'

/** The flags of `conform`. They have no variables, since --start would pass them on to a server of `serve`. */
export const conformFlags: FlagTable<ConformFlags> = {
  edition: {
    type: {
      ...listType(editionType(...editionNames)),
      expected: `one or more of ${editionNames.join(', ')}`,
    },
    default: [defaultEdition],
    defaultText: defaultEdition,
    env: [],
    group: caseGroup,
    doc: 'Edition of GraphQL over HTTP; september2026 and 2026-08 mean 2026-09. With --reporter html, several are shown side by side.',
  },
  suite: {
    type: listType(textType('name', 'the name of a suite')),
    default: [],
    defaultText: 'all',
    env: [],
    group: caseGroup,
    doc: 'Run only these suites.',
  },
  case: {
    type: listType(textType('id', 'the id of a case')),
    default: [],
    defaultText: 'all',
    env: [],
    group: caseGroup,
    doc: 'Run only these cases; the beginning of an id selects every id that starts with it.',
  },
  standard: {
    type: switchType,
    default: false,
    env: [],
    group: caseGroup,
    doc: 'The target serves the standard schema. Its data is changed and then restored.',
  },
  'known-failures': {
    type: textType('file', 'the name of a file'),
    default: undefined,
    env: [],
    group: caseGroup,
    doc: 'File of cases that are known to fail: an id and a reason per line.',
  },
  'write-known-failures': {
    type: textType('file', 'the name of a file'),
    default: undefined,
    env: [],
    group: caseGroup,
    doc: 'Write the failing cases to a file for --known-failures, and exit with 0.',
  },
  list: {
    type: switchType,
    default: false,
    env: [],
    group: caseGroup,
    doc: 'List the cases that would run, and send nothing.',
  },
  target: {
    type: textType('file', 'the name of a target file'),
    default: undefined,
    env: [],
    group: targetGroup,
    doc: 'JSON file that describes the target; flags override it.',
  },
  header: {
    type: headerType,
    default: [],
    defaultText: 'none',
    env: ['GRAPHWIRE_HEADER'],
    group: targetGroup,
    doc: 'Header for every request; can be repeated.',
  },
  start: {
    type: textType('command', 'a shell command'),
    default: undefined,
    env: [],
    group: targetGroup,
    doc: 'Start the target with this command, wait until it accepts connections, then stop it.',
  },
  timeout: rowFlag(runRows.timeout, targetGroup),
  concurrency: rowFlag(runRows.concurrency, targetGroup),
  'max-duration': rowFlag(runRows.maxDuration, targetGroup),
  insecure: {
    type: switchType,
    default: false,
    env: [],
    group: targetGroup,
    doc: 'Accept certificates that are not trusted.',
  },
  'fail-on': {
    type: choiceType<FailOn>('edition', 'http', 'warn'),
    default: 'http',
    env: [],
    group: report,
    doc: 'What fails the run: a MUST of the edition, or also of HTTP and streams, or also a SHOULD.',
  },
  reporter: {
    type: choiceType<ReporterName>('pretty', 'tap', 'json', 'junit', 'markdown', 'html', 'badge'),
    default: 'pretty',
    env: [],
    group: report,
    doc: 'Format of the report.',
  },
  output: {
    type: textType('file', 'the name of a file'),
    default: undefined,
    defaultText: 'stdout',
    env: [],
    group: report,
    doc: 'File to write the report to.',
  },
  verbose: {
    type: switchType,
    default: false,
    env: [],
    group: report,
    doc: 'Show every case, the bytes of both sides, and the output of the started target.',
  },
}
