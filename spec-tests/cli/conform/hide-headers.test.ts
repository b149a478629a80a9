import t from 'tap'
import { hideHeaders } from '../../../src/cli/conform/write-report.js'
import type { Report } from '../../../src/conformance/index.js'
import { caseOf } from '../../conformance/report-of.js'

const token = 's3cr/et+tok"en\\0=='
const long = `${'abc/'.repeat(2000)}end`

/** What a report shows of a text that the target has sent. */
function shownOf(message: string, secret = token): string | undefined {
  const report = { cases: [caseOf('a', { message })] } as Partial<Report> as Report
  return hideHeaders(report, [['Authorization', `Bearer ${secret}`]]).cases[0]?.message
}

const json = JSON.stringify(token).slice(1, -1)
const php = json.replaceAll('/', '\\/')
const gson = json.replaceAll('=', '\\u003d')
const dotnet = json.replaceAll('+', '\\u002B').replaceAll('"', '\\u0022')
const far = `s3cr${'x'.repeat(500)}...`

// oxfmt-ignore
const rows: readonly [what: string, text: string, shown: string, secret?: string][] = [
  ['as it is',                    `a ${token}.`,                       'a (hidden).'],
  ['with its scheme',             `a Bearer ${token}.`,                'a (hidden).'],
  ['in JSON of JavaScript',       `"${json}"`,                         '"(hidden)"'],
  ['in JSON of PHP',              `"${php}"`,                          '"(hidden)"'],
  ['in JSON of Gson',             `"${gson}"`,                         '"(hidden)"'],
  ['in JSON of .NET',             `"${dotnet}"`,                       '"(hidden)"'],
  ['in JSON within JSON',         JSON.stringify(`"${php}"`),          '"\\"(hidden)\\""'],
  ['with a tab in JSON',          'a\\tbcd',                           '(hidden)', 'a\tbcd'],
  ['with its rest cut off',       `${gson.slice(0, 20)}...`,           '(hidden)...'],
  ['cut off in a body',           's3cr/e\n... 12 bytes more',         '(hidden)\n... 12 bytes more'],
  ['however long it is',          `<p>${long}`,                        '<p>(hidden)', long],
  ['but not other text',          's3cr is not the token',             's3cr is not the token'],
  ['nor what is cut further on',  far,                                 far],
  ['nor what is short',           'abc',                               'abc', 'a\\\\bc'],
]

for (const [what, text, shown, secret] of rows) {
  void t.test(`what a target repeats of a header is hidden ${what}`, async (t) => {
    t.equal(shownOf(text, secret), shown)
  })
}
