import { titleOf } from '../../suite/editions.js'
import {
  verdicts,
  type Report,
  type CaseReport,
  type SpecReference,
  type Verdict,
} from '../../suite/report.js'
import { formatConclusion, formatDuration, formatTotals, layersOf } from '../digest/summary.js'
import { allCases, findings, anchorOf, verdictMark } from './cases.js'
import { html, type Markup, nothing, sentence } from './markup.js'
import { style } from './style.js'

/** Nothing is loaded or run: a report can be opened without trusting the target. */
const policy = "default-src 'none'; style-src 'unsafe-inline'"

/** The report as one page without other files, network access or scripts. */
export function formatHtml(report: Report): string {
  const { target, edition, cases } = report
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>Conformance of ${target} to GraphQL over HTTP, ${titleOf(edition)}</title>
        <style>
          ${{ markup: style }}
        </style>
      </head>
      <body>
        ${header(report)} ${filter(report)}
        <main>${findings(cases)} ${matrix(cases)} ${allCases(cases)}</main>
        <footer>
          <p>
            A fail breaks a MUST, a warn breaks a SHOULD, an info breaks neither. The sentences are
            quoted from the specifications: GraphQL over HTTP is under the MIT license, copyright ©
            2022-present, GraphQL contributors. Made by <code>graphwire conform</code>.
          </p>
        </footer>
      </body>
    </html> `
  return `${page.markup.trim()}\n`
}

/** What was tested, and the result. */
function header(report: Report): Markup {
  const { target, edition, suite, startedAt, durationMs, capabilities, diagnosis } = report
  return html`<header>
    <p class="kicker">GraphQL over HTTP · conformance report</p>
    <h1>${target}</h1>
    ${diagnosis === undefined ? [] : html`<p class="conclusion fail">${diagnosis}</p>`}
    <p class="conclusion ${toneOf(report)}">${formatConclusion(report)}</p>
    ${bar(report)}
    <dl class="facts">
      ${fact('Edition', titleOf(edition))} ${fact('Suite', suite)}
      ${layersOf(report).map(([name, counts]) => fact(`Cases of ${name}`, formatTotals(counts)))}
      ${fact('Started', startedAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC'))}
      ${fact('Duration', formatDuration(durationMs))}
      ${fact('Capabilities found', capabilities.join(', ') || 'none')}
    </dl>
  </header>`
}

function toneOf({ totals }: Report): string {
  if (totals.fail + totals.error > 0) return 'fail'
  return totals.warn > 0 ? 'warn' : totals.pass > 0 ? 'pass' : 'skip'
}

function fact(name: string, value: string): Markup {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`
}

function bar({ totals }: Report): Markup {
  const shares = verdicts
    .filter((verdict) => totals[verdict] > 0)
    .map((verdict) => html`<span class="${verdict}" style="flex-grow:${totals[verdict]}"></span>`)
  return html`<div class="bar" role="img" aria-label="${formatTotals(totals)}">${shares}</div>`
}

/** Filters the page by verdict, without a script. */
function filter({ totals, cases }: Report): Markup {
  const choices = verdicts
    .filter((verdict) => totals[verdict] > 0)
    .map((verdict) => choice(verdict, totals[verdict], ''))
  return html`<form class="filter" autocomplete="off">
    <fieldset>
      <legend>Show</legend>
      ${choice('all', cases.length, ' checked')} ${choices}
    </fieldset>
  </form>`
}

function choice(name: string, count: number, more: '' | ' checked'): Markup {
  return html`<label class="${name}"
    ><input type="radio" name="show" id="show-${name}" ${{ markup: more }} />
    <span class="word">${name}</span> <span class="count">${count}</span></label
  >`
}

/** A row for each statement, and in it a cell for each case that tests it. */
function matrix(cases: readonly CaseReport[]): Markup {
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
