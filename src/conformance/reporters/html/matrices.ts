import { countOf } from '../../../base/prose.js'
import {
  verdicts,
  type CaseReport,
  type SpecReference,
  type Totals,
  type Verdict,
} from '../../suite/report.js'
import { formatTotals, sumOf, type ReportDigest } from '../digest/digest.js'
import { anchorOf, verdictMark } from './cases.js'
import { fact, html, row, sentence, table, type Markup } from './markup.js'

export function bar(totals: Totals): Markup {
  const shares = verdicts
    .filter((verdict) => totals[verdict] > 0)
    .map((verdict) => html`<span class="${verdict}" style="flex-grow:${totals[verdict]}"></span>`)
  return html`<div class="bar" role="img" aria-label="${formatTotals(totals)}">${shares}</div>`
}

const meanings: { readonly [verdict in Verdict]: string } = {
  pass: 'as it should be',
  fail: 'breaks a MUST',
  warn: 'breaks a SHOULD',
  info: 'breaks neither',
  skip: 'does not apply, or was not run',
  error: 'the runner itself failed',
}

/** How many cases of each suite have each verdict, and the same cases by the text that they cite. */
export function suiteTable({ suites, texts, totals }: ReportDigest): Markup {
  const shown = verdicts.filter((verdict) => totals[verdict] > 0)
  const countRow = (name: string, counts: Totals): Markup => {
    const cells = shown.map((one) => {
      return html`<td class="${counts[one] > 0 ? one : 'none'}">${counts[one]}</td>`
    })
    return html`<tr>
      <th scope="row">${name}</th>
      ${[...cells, html`<td>${sumOf(counts)}</td>`]}
    </tr>`
  }
  const rows = suites.map((group) => countRow(group.name, group.totals))
  const cited = texts.map(([name, counts]) => countRow(`cite ${name}`, counts))
  return html`<section id="suites">
    <h2>Suites</h2>
    ${table(
      ['Suite', ...shown.map(verdictMark), 'all'],
      [[...rows, countRow('all', totals)], cited],
      { label: 'Cases by suite and verdict', style: 'counts' },
    )}
    <dl class="legend">${shown.map((one) => fact(verdictMark(one), meanings[one]))}</dl>
  </section>`
}

/** Editions side by side: each suite, and each case whose verdict is not the same in all. */
export function editionMatrix(reports: readonly ReportDigest[]): Markup | undefined {
  if (reports.length < 2) return undefined
  const suites = reports.map((report) => report.suites)
  const names = [...new Set(suites.flatMap((groups) => groups.map(({ name }) => name)))]
  const cases = reports.map((report) => new Map(report.cases.map((one) => [one.id, one])))
  const rows = [...new Set(cases.flatMap((byId) => [...byId.keys()]))].map((id) =>
    cases.map((byId) => byId.get(id)),
  )
  const differing = rows.filter((found) => new Set(found.map((one) => one?.verdict)).size > 1)
  const same = countOf(rows.length - differing.length, 'case')
  return html`<section id="editions">
    <h2>Editions side by side</h2>
    ${editionTable('Suites', reports, [
      row(
        'Result',
        reports.map(({ conclusion }) => conclusion),
      ),
      ...names.map((name) =>
        row(
          name,
          suites.map((groups) => shareOf(groups.find((group) => group.name === name)?.totals)),
        ),
      ),
    ])}
    <h3>Where they differ</h3>
    <p class="where">${same} with the same verdict in all of these editions.</p>
    ${differing.length > 0 ? editionTable('Cases', reports, differing.map(differingRow)) : ''}
  </section>`
}

function editionTable(
  what: string,
  reports: readonly ReportDigest[],
  rows: readonly Markup[],
): Markup {
  const columns = [what, ...reports.map(({ title }) => title)]
  return table(columns, [rows], { label: `${what} by edition`, style: 'wide' })
}

function shareOf(totals: Totals | undefined): Markup | string {
  if (totals === undefined) return 'none'
  return html`${bar(totals)} <span class="section">${formatTotals(totals)}</span>`
}

/** Details are on this page for the cases of the first edition only. */
function differingRow(found: readonly (CaseReport | undefined)[]): Markup {
  const [first] = found
  const one = found.find((report) => report !== undefined)
  const { id = '', title = '' } = one ?? {}
  const name = html`${title} <code>${id}</code>`
  return row(
    first === undefined ? name : html`<a href="#${anchorOf(id)}">${name}</a>`,
    found.map(describeVerdict),
  )
}

function describeVerdict(one: CaseReport | undefined): Markup | string {
  if (one === undefined) return 'not part of it'
  return html`${verdictMark(one.verdict)} <span class="section">${one.message}</span>`
}

/** A row for each statement, and in it a cell for each case that tests it. */
export function statementMatrix(cases: readonly CaseReport[]): Markup | undefined {
  const specs = new Map(cases.flatMap(({ spec }) => (spec ? [[spec.statement, spec]] : [])))
  const ids = [...new Set(cases.flatMap(({ statements }) => statements))]
  if (ids.length === 0) return undefined
  const rows = ids.toSorted(new Intl.Collator('en', { numeric: true }).compare).map((id) => {
    const about = cases.filter(({ statements }) => statements.includes(id))
    return statementRow(id, about, specs.get(id))
  })
  return html`<section class="group" id="statements">
    <h2>By statement</h2>
    <p class="where">
      A square is a case: ✓ passes, ✕ breaks a MUST of it, ! a SHOULD, i neither, – is skipped, ·
      breaks another statement first, ? could not be judged.
    </p>
    ${table(['Statement', 'What it says', 'Cases'], [rows])}
  </section>`
}

/** If one case of a statement has passed, another that was skipped does not matter. */
const byWeight: readonly Verdict[] = ['fail', 'error', 'warn', 'info', 'pass', 'skip']

function statementRow(id: string, cases: readonly CaseReport[], spec?: SpecReference): Markup {
  const found = new Set(cases.map((one) => verdictFor(one, id)))
  const worst = byWeight.find((verdict) => found.has(verdict))
  return html`<tr data-verdict="${worst ?? 'skip'}">
    <th scope="row">
      <span class="statement">${id}</span>
      ${spec && html`<span class="level">${spec.level}</span>`}
    </th>
    <td class="says">
      ${spec && html`${sentence(spec.quote)} <span class="section">${spec.section}</span>`}
    </td>
    <td class="cells">
      ${worst && verdictMark(worst)}
      <span class="squares">${cases.map((one) => cell(one, verdictFor(one, id)))}</span>
    </td>
  </tr>`
}

/** A case that breaks one statement says nothing about the others. */
function verdictFor({ verdict, spec, also = [] }: CaseReport, id: string): Verdict | 'open' {
  const isFinding = verdict === 'fail' || verdict === 'warn' || verdict === 'info'
  if (!isFinding) return verdict
  // A finding that cites nothing is the least severe: the cited statements held.
  if (spec === null) return 'pass'
  if (spec.statement === id) return verdict
  return also.find((broken) => broken.spec?.statement === id)?.verdict ?? 'open'
}

const glyphs: { readonly [verdict in Verdict | 'open']: string } = {
  pass: '✓',
  fail: '✕',
  warn: '!',
  info: 'i',
  skip: '–',
  error: '?',
  open: '·',
}

function cell({ id }: CaseReport, verdict: Verdict | 'open'): Markup {
  const name = `${id}: ${verdict === 'open' ? 'open: the case breaks another statement first' : verdict}`
  return html`<a
    class="cell ${verdict}"
    href="#${anchorOf(id)}"
    title="${name}"
    aria-label="${name}"
    >${glyphs[verdict]}</a
  >`
}
