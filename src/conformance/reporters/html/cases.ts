import type { CaseReport } from '../../report.js'
import { groupBySuite, type SuiteReport } from '../group-by-suite.js'
import { findingsOf, formatTotals } from '../summary.js'
import { html, type Markup } from './markup.js'
import { anchorOf, citation, knownReason, verdictMark, wire } from './parts.js'

/** Every case, by suite. */
export function allCases(cases: readonly CaseReport[]): Markup {
  const told = new Set(findingsOf(cases))
  return html`<section id="cases">
    <h2>By suite</h2>
    ${groupBySuite(cases).map((group) => suite(group, told))}
  </section>`
}

function suite({ name, totals, cases }: SuiteReport, told: ReadonlySet<CaseReport>): Markup {
  return html`<section class="group suite">
    <h3>${name} <span class="totals">${formatTotals(totals)}</span></h3>
    <ul>
      ${cases.map((one) => (told.has(one) ? reference(one) : details(one)))}
    </ul>
  </section>`
}

/** What is told above is only named here. */
function reference({ id, title, verdict }: CaseReport): Markup {
  return html`<li data-verdict="${verdict}">
    <a class="line" href="#${anchorOf(id)}">${line(id, title)} ${verdictMark(verdict)}</a>
  </li>`
}

function details(one: CaseReport): Markup {
  const { id, title, verdict, message, spec, evidence } = one
  return html`<li data-verdict="${verdict}" id="${anchorOf(id)}">
    <details>
      <summary class="line">${line(id, title)} ${verdictMark(verdict)}</summary>
      <div class="more">
        ${message === '' ? [] : html`<p class="message">${message}</p>`} ${knownReason(one)}
        ${citation(spec)} ${wire(evidence)}
      </div>
    </details>
  </li>`
}

function line(id: string, title: string): Markup {
  return html`<span class="name"><span class="title">${title}</span> <code>${id}</code></span>`
}
