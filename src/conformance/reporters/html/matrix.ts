import type { CaseReport, SpecReference, Verdict } from '../../suite/report.js'
import { html, nothing, sentence, type Markup } from './markup.js'
import { anchorOf, verdictMark } from './cases.js'

/** A row for each statement, and in it a cell for each case that tests it. */
export function matrix(cases: readonly CaseReport[]): Markup {
  const rows = rowsOf(cases)
  if (rows.length === 0) return nothing
  return html`<section class="group" id="statements">
    <h2>By statement</h2>
    <table>
      <thead>
        <tr>
          <th>Statement</th>
          <th>What it says</th>
          <th>Cases</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(row)}
      </tbody>
    </table>
  </section>`
}

interface StatementRow {
  readonly id: string
  readonly cases: readonly CaseReport[]
  readonly spec: SpecReference | undefined
}

function rowsOf(cases: readonly CaseReport[]): readonly StatementRow[] {
  const specs = new Map(cases.flatMap(({ spec }) => (spec ? [[spec.statement, spec]] : [])))
  const tested = new Map<string, CaseReport[]>()
  for (const one of cases) {
    for (const id of one.statements) tested.set(id, [...(tested.get(id) ?? []), one])
  }
  return [...tested]
    .map(([id, about]) => ({ id, cases: about, spec: specs.get(id) }))
    .toSorted((one, other) => one.id.localeCompare(other.id, 'en', { numeric: true }))
}

/** If one case of a statement has passed, another that was skipped does not matter. */
const byWeight: readonly Verdict[] = ['fail', 'error', 'warn', 'info', 'pass', 'skip']

function row({ id, cases, spec }: StatementRow): Markup {
  const found = new Set(cases.map((one) => verdictFor(one, id)))
  const worst = byWeight.find((verdict) => found.has(verdict))
  return html`<tr data-verdict="${worst ?? 'skip'}">
    <th scope="row">
      <span class="statement">${id}</span>
      ${spec === undefined ? nothing : html`<span class="level">${spec.level}</span>`}
    </th>
    <td class="says">
      ${spec === undefined ? nothing : sentence(spec.quote)}
      ${spec === undefined ? nothing : html`<span class="section">${spec.section}</span>`}
    </td>
    <td class="cells">
      ${worst === undefined ? nothing : verdictMark(worst)}
      <span class="squares">${cases.map((one) => cell(one, verdictFor(one, id)))}</span>
    </td>
  </tr>`
}

/** A case that breaks one statement says nothing about the others. */
function verdictFor({ verdict, spec }: CaseReport, id: string): Verdict | 'open' {
  const isFinding = verdict === 'fail' || verdict === 'warn' || verdict === 'info'
  if (!isFinding) return verdict
  // A finding that cites nothing is the least severe: the cited statements held.
  if (spec === null) return 'pass'
  return spec.statement === id ? verdict : 'open'
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
