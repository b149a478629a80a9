import type { CaseReport, Evidence, SpecReference, Verdict } from '../../suite/report.js'
import { formatLevel } from '../digest/summary.js'
import { html, link, nothing, sentence, type Markup } from './markup.js'

/** A verdict as a word on its colour. */
export function verdictMark(verdict: Verdict): Markup {
  return html`<span class="mark ${verdict}">${verdict}</span>`
}

/** The sentence that a case is about, with its source. */
export function citation(spec: SpecReference | null): Markup {
  if (spec === null) return nothing
  const { quote, statement, section, source } = spec
  return html`<figure class="cite">
    <blockquote cite="${source}">${sentence(quote)}</blockquote>
    <figcaption>
      <b>${formatLevel(spec)}</b> · ${statement} ·
      ${link(source, html`${section}, ${shorten(source)}`)}
    </figcaption>
  </figure>`
}

/** The request and the response. */
export function wire(evidence: Evidence | undefined): Markup {
  if (evidence === undefined) return nothing
  return html`<div class="wire">
    <figure>
      <figcaption>Request sent</figcaption>
      <pre>${evidence.sent.trimEnd()}</pre>
    </figure>
    <figure>
      <figcaption>Response received</figcaption>
      <pre>${evidence.received.trimEnd()}</pre>
    </figure>
  </div>`
}

/** Why a failure is expected. */
export function knownReason({ known }: CaseReport): Markup {
  return known === undefined ? nothing : html`<p class="known">Known failure: ${known}</p>`
}

/** The anchor of a case on the page. */
export function anchorOf(id: string): string {
  return `case-${id}`
}

function shorten(source: string): string {
  return source.replace(/^https?:\/\/(www\.)?/, '').replace(/#.*$/, '')
}
