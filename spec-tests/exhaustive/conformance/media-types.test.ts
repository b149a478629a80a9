import t from 'tap'
import { transformationOf } from './defects/defect.js'
import { defects } from './defects/defects.js'
import { runOn, startServer } from './defects/start-server.js'

/** What the server does, and the verdicts of the cases that ask for one type alone. */
// oxfmt-ignore
const rows: readonly [defect: string, capabilities: readonly string[], broken: readonly string[]][] = [
  ['media-types-swapped', ['gqlResponse', 'legacyJson'], [
    'fail accept.graphql-response',
    'fail accept.graphql-response.not-other',
    'warn accept.json',
    'fail accept.json.not-other',
  ]],
  ['accept-ignored',           ['gqlResponse'], ['warn accept.json']],
  ['json-unknown',             ['gqlResponse'], ['warn accept.json']],
  ['graphql-response-unknown', ['legacyJson'],  ['fail accept.graphql-response']],
]
for (const [defect, capabilities, broken] of rows) {
  void t.test(`${defect}: both types are found in either direction`, async (t) => {
    const server = await startServer(transformationOf(defects, defect))
    const report = await runOn(server, { cases: ['accept.json', 'accept.graphql-response'] })
    const types = report.capabilities.filter((name) => /^(?:gqlResponse|legacyJson)$/.test(name))
    t.strictSame(types, capabilities)
    const findings = report.cases.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    const told = findings.map(({ verdict, id }) => `${verdict} ${id}`)
    t.strictSame(told, broken)
  })
}
