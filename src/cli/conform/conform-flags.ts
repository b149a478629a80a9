import type { FieldLine, ReporterName } from '../../conformance/index.js'
import { defaultEdition, editionNames } from '../../conformance/suite/editions.js'
import { runRows } from '../../conformance/run/run-numbers.js'
import {
  choiceType,
  editionType,
  inGroup,
  listType,
  rowFlag,
  switchType,
  textType,
  type ValuesOf,
  type FlagType,
} from '../arguments/flag.js'

/** What fails a run: a broken MUST of the edition; also one of HTTP or a streaming protocol; also a broken SHOULD. */
export type FailOn = 'edition' | 'http' | 'warn'

/** `Name: value`. A comma can be part of the value, so the flag is repeated instead. */
const headerType: FlagType<readonly FieldLine[]> = {
  placeholder: 'name: value',
  expected: 'a header such as "Authorization: Bearer abc"',
  read(text) {
    // RFC 9110 sections 5.1 and 5.5. The check of the conformance suite is not used: help would load the suite.
    const line = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([\t\u0020-\u007e\u0080-\u00ff]*)$/.exec(text)
    const [, name = '', value = ''] = line ?? []
    return line === null ? undefined : [[name, value.trimEnd()]]
  },
  combine: (lines) => lines.flat(),
}

const ofCases = inGroup('Cases')
const ofTarget = inGroup('Target')
const ofReport = inGroup('Report')

const file = textType('file', 'the name of a file')
const expected = `one or more of ${editionNames.join(', ')}`
const reporterNames = ['pretty', 'tap', 'json', 'junit', 'markdown', 'html', 'badge'] as const

/** The flags of `conform`. They have no variables, since --start would pass them on to a server of `serve`. */
// oxfmt-ignore
export const conformFlags = {
  edition: ofCases(
    { ...listType(editionType(...editionNames)), expected },
    [defaultEdition],
    'Edition of GraphQL over HTTP; september2026 and 2026-08 mean 2026-09. With --reporter html, several are shown side by side.',
    { defaultText: defaultEdition },
  ),
  suite:                  ofCases(listType(textType('name', 'the name of a suite')), [], 'Run only these suites.', { defaultText: 'all' }),
  case: ofCases(
    listType(textType('id', 'the id of a case')),
    [],
    'Run only these cases; the beginning of an id selects every id that starts with it.',
    { defaultText: 'all' },
  ),
  standard:               ofCases(switchType, false, 'The target serves the standard schema. Its data is changed and then restored.'),
  'known-failures':       ofCases(file, undefined, 'File of cases that are known to fail: an id and a reason per line.'),
  'write-known-failures': ofCases(file, undefined, 'Write the failing cases to a file for --known-failures, and exit with 0.'),
  list:                   ofCases(switchType, false, 'List the cases that would run, and send nothing.'),
  target:                 ofTarget(textType('file', 'the name of a target file'), undefined, 'JSON file that describes the target; flags override it.'),
  header:                 ofTarget(headerType, [], 'Header for every request; can be repeated.', { defaultText: 'none', env: ['GRAPHWIRE_HEADER'] }),
  start: ofTarget(
    textType('command', 'a shell command'),
    undefined,
    'Start the target with this command, wait until it accepts connections, then stop it.',
  ),
  timeout:                rowFlag(runRows.timeout, 'Target'),
  concurrency:            rowFlag(runRows.concurrency, 'Target'),
  'max-duration':         rowFlag(runRows.maxDuration, 'Target'),
  insecure:               ofTarget(switchType, false, 'Accept certificates that are not trusted.'),
  'fail-on': ofReport(
    choiceType<FailOn>('edition', 'http', 'warn'),
    'http',
    'Which broken rules fail the run: a MUST of the edition; also of HTTP and streams; also a SHOULD.',
  ),
  reporter:               ofReport(choiceType<ReporterName>(...reporterNames), 'pretty', 'Format of the report.'),
  output:                 ofReport(file, undefined, 'File to write the report to.', { defaultText: 'stdout' }),
  verbose:                ofReport(switchType, false, 'Show every case, the bytes of both sides, and the output of the started target.'),
}

export type ConformFlags = ValuesOf<typeof conformFlags>
