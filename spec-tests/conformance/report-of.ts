import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { CaseReport, Report } from '../../src/conformance/index.js'
import { countLayers, countVerdicts } from '../../src/conformance/suite/report.js'

/** What a target may say to break the report about it. */
export const nasty = `</pre><script>alert("x")</script> & 'q' \u0000\u001b[31m\u009b\u2028\u202e\ufeff\u{1ffff}\ud800 \`\`\` | # ]]> @you`

/** How the JSON of a report differs from the schema of reports; null if it does not. */
export function schemaFaults(json: string): unknown {
  const schema = new URL('../../../fixtures/meta/report.schema.json', import.meta.url)
  const ajv = new Ajv2020({ allErrors: true, validateFormats: false })
  const validate = ajv.compile(JSON.parse(readFileSync(schema, 'utf8')) as object)
  validate(JSON.parse(json))
  return validate.errors
}

/** A case of a report, as far as it matters to a test. */
export function caseOf(id: string, more: Partial<CaseReport> = {}): CaseReport {
  const { verdict = 'pass' } = more
  return {
    id,
    title: `The title of ${id}`,
    suite: id.split('.')[0] ?? id,
    level: 'MUST',
    layer: 'edition',
    statements: ['GET-7'],
    verdict,
    message: verdict === 'pass' ? '' : `why ${id} is a ${verdict}`,
    spec: {
      statement: 'GET-7',
      level: 'MUST',
      section: 'GET',
      source: 'https://github.com/graphql/graphql-over-http',
      quote: 'The server MUST [halt](<https://example.com/>) with a `4xx` _status code_.',
    },
    ...more,
  }
}

/** A report of cases. */
export function reportOf(...cases: readonly CaseReport[]): Report {
  return {
    target: 'http://localhost:4000/graphql',
    edition: '2026-09',
    suite: 'all',
    startedAt: '2026-08-01T10:00:00.000Z',
    durationMs: 1234,
    capabilities: ['get'],
    totals: countVerdicts(cases),
    layers: countLayers(cases),
    cases,
  }
}

/** A report with every verdict, and with what a target may say to break it. */
export const everything: Report = {
  ...reportOf(
    caseOf('core.good'),
    caseOf('core.bad', {
      verdict: 'fail',
      message: nasty,
      evidence: {
        sent: `POST / HTTP/1.1\n\n  ${nasty}`,
        received: `HTTP 200\nx: ${nasty}\n\n${nasty}`,
        timeline: [0, 12].map((at) => ({ at, by: at === 0 ? 'runner' : 'target', text: nasty })),
      },
    }),
    caseOf('core.absent', { verdict: 'skip', message: 'the target has no get' }),
    caseOf('core.away', { verdict: 'skip', message: 'the target has no get' }),
    caseOf('get.weak', { verdict: 'warn', level: 'SHOULD', statements: ['GET-7', 'GET-8'] }),
    caseOf('get.note', { verdict: 'info', level: 'MAY', spec: null, statements: [] }),
    caseOf('get.known', { verdict: 'info', known: `issue 12 ${nasty}` }),
    caseOf('raw.broken', { verdict: 'error', message: 'Error: a bug' }),
  ),
  target: `http://localhost:4000/?${nasty}`,
}
