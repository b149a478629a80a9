import t from 'tap'
import { diffReports } from '../../../../src/conformance/reporters/digest/diff.js'
import type { Report } from '../../../../src/conformance/suite/report.js'
import { transformationOf } from '../defects/defect.js'
import { defects } from '../defects/defects.js'
import { runOn, startServer } from '../defects/start-server.js'

/** The worse outcome follows the milder one, and the cases in which `diff` has to see it. */
// oxfmt-ignore
const rows: readonly [milder: string, worse: string, cases: readonly string[]][] = [
  ['malformed-request-400', 'variables-as-a-list-accepted',        ['core.variables.list', 'get.variables.list', 'errors.legacy.variables-list']],
  ['malformed-request-400', 'variables-as-a-string-accepted',      ['core.variables.string', 'get.variables.string']],
  ['malformed-request-400', 'extensions-of-any-type-accepted',     ['core.extensions.list']],
  ['malformed-request-400', 'operation-name-of-any-type-accepted', ['core.operation-name.number']],
  ['malformed-request-400', 'query-of-any-type-accepted',          ['core.query.list']],
  ['broken-json-422',       'json-read-leniently',                 ['core.json.trailing-comma']],
  ['415-is-400',            'content-type-not-looked-at',          ['core.content-type.unknown']],
  ['get-mutation-200',      'get-runs-mutations',                  ['get.mutation.refused']],
  ['json-unknown',          'accept-ignored',                      ['accept.json']],
]

async function reportOf(defect: string, cases: readonly string[]): Promise<Report> {
  return runOn(await startServer(transformationOf(defects, defect)), { cases })
}

for (const [milder, worse, cases] of rows) {
  void t.test(`diff sees that ${milder} has become ${worse}`, async (t) => {
    const diff = diffReports(await reportOf(milder, cases), await reportOf(worse, cases))
    const ids = diff.worse.map(({ id }) => id)
    t.strictSame(ids.toSorted(), cases.toSorted())
  })
}
