import type { CaseReport } from '../../report.js'
import { findingsOf } from '../summary.js'
import { html, nothing, type Markup } from './markup.js'
import { anchorOf, citation, knownReason, verdictMark, wire } from './parts.js'

/** Every case that failed or warned, with its evidence. */
export function findings(cases: readonly CaseReport[]): Markup {
  const found = findingsOf(cases)
  if (found.length === 0) return nothing
  return html`<section class="group" id="findings">
    <h2>What does not hold</h2>
    ${found.map(finding)}
  </section>`
}

function finding(one: CaseReport): Markup {
  const { id, title, verdict, message, suite, spec, evidence } = one
  return html`<article class="finding ${verdict}" data-verdict="${verdict}" id="${anchorOf(id)}">
    <h3>${verdictMark(verdict)} ${title}</h3>
    <p class="where"><code>${id}</code> · suite ${suite}</p>
    <p class="message">${message}</p>
    ${knownReason(one)} ${citation(spec)} ${wire(evidence)}
  </article>`
}
