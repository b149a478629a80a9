import type {
  Broken,
  CaseReport,
  Evidence,
  FoundCase,
  SpecReference,
  TimelineEntry,
  Verdict,
} from '../../suite/report.js'
import {
  formatLevel,
  formatTotals,
  type ReportDigest,
  type Group,
  type Habit,
} from '../digest/digest.js'
import { breakable, html, link, sentence, type Markup } from './markup.js'

export function findings(habits: readonly Habit[]): Markup | undefined {
  if (habits.length === 0) return undefined
  return html`<section class="group" id="findings">
    <h2>Findings</h2>
    ${habits.map(habit)}
  </section>`
}

/** The cases that break a sentence, as the terminal groups them: the sentence once, then what else was found against it. */
function habit([[first, ...others], ...more]: Habit): Markup {
  const { title, verdict, spec, evidence } = first
  return html`<article class="finding ${verdict}" data-verdict="${verdict}" id="${placeOf(first)}">
    <h3>${verdictMark(verdict)} ${title}</h3>
    ${headOf(first)} ${citation(spec)} ${repair(first)} ${wire(evidence)} ${same(others)}
    ${more.map(another)}
  </article>`
}

function another([first, ...others]: Group<FoundCase>): Markup {
  const { title, evidence } = first
  return html`<section class="another" id="${placeOf(first)}">
    <h4>${title}</h4>
    ${headOf(first)} ${evidence && folded('Request and response', evidence)} ${same(others)}
  </section>`
}

function headOf(one: CaseReport): Markup {
  return html`<p class="where"><code>${breakable(one.id)}</code> · suite ${one.suite}</p>
    <p class="message">${one.message}</p>
    ${knownReason(one)}`
}

function folded(summary: Markup | string, evidence: Evidence | undefined): Markup {
  return html`<details>
    <summary>${summary}</summary>
    ${wire(evidence)}
  </details>`
}

/** How a correct server behaves, and how to test this one again. */
function repair({ id, spec, evidence }: CaseReport): Markup {
  return html`<dl class="repair">
    ${spec?.rule && entry('A correct server', sentence(spec.rule))}
    ${evidence?.command && entry('Send it again', command(evidence.command))}
    ${entry('Test the fix', command(`graphwire conform URL --case ${id}`))}
  </dl>`
}

function entry(name: string, value: Markup): Markup {
  return html`<dt>${name}</dt>
    <dd>${value}</dd>`
}

function command(text: string): Markup {
  return html`<pre tabindex="0">${text}</pre>`
}

/** The other cases with the same cause, each with its request and response. */
function same(others: readonly FoundCase[]): Markup | undefined {
  if (others.length === 0) return undefined
  return html`<p class="where">The same finding in:</p>
    <ul class="same">
      ${others.map(
        (one) =>
          html`<li id="${placeOf(one)}">
            ${folded(html`${one.title} <code>${breakable(one.id)}</code>`, one.evidence)}
          </li>`,
      )}
    </ul>`
}

export function allCases({ habits, suites }: ReportDigest): Markup {
  const reported = new Set<CaseReport>(habits.flat(2))
  return html`<section id="cases">
    <h2>By suite</h2>
    ${suites.map(
      (suite) =>
        html`<section class="group suite">
          <h3>${suite.name} <span class="totals">${formatTotals(suite.totals)}</span></h3>
          <ul>
            ${suite.cases.map((one) => (reported.has(one) ? reference(one) : details(one)))}
          </ul>
        </section>`,
    )}
  </section>`
}

/** A finding is shown above; this is a link to it. */
function reference({ id, title, verdict }: CaseReport): Markup {
  return html`<li data-verdict="${verdict}">
    <a class="line" href="#${anchorOf(id)}">${line(id, title)} ${verdictMark(verdict)}</a>
  </li>`
}

function details(one: CaseReport): Markup {
  const { id, title, verdict, message, spec, evidence, also = [] } = one
  return html`<li data-verdict="${verdict}" id="${anchorOf(id)}">
    <details>
      <summary class="line">${line(id, title)} ${verdictMark(verdict)}</summary>
      <div class="more">
        ${message && html`<p class="message">${message}</p>`} ${knownReason(one)} ${citation(spec)}
        ${also.map(beside)} ${wire(evidence)}
      </div>
    </details>
  </li>`
}

function beside({ message, spec }: Broken): Markup {
  return html`<p class="message">${message}</p>
    ${citation(spec)}`
}

export function line(id: string, title: string): Markup {
  return html`<span class="name"
    ><span class="title">${title}</span> <code>${breakable(id)}</code></span
  >`
}

export function verdictMark(verdict: Verdict): Markup {
  return html`<span class="mark ${verdict}">${verdict}</span>`
}

export function citation(spec: SpecReference | null): Markup | undefined {
  if (spec === null) return undefined
  const { quote, statement, section, source } = spec
  return html`<figure class="cite">
    <blockquote cite="${source}">${sentence(quote)}</blockquote>
    <figcaption>
      <b>${formatLevel(spec)}</b> · ${statement} ·
      ${link(source, html`${section}, ${breakable(shorten(source))}`)}
    </figcaption>
  </figure>`
}

export function wire(evidence: Evidence | undefined): Markup | undefined {
  if (evidence === undefined) return undefined
  const { timeline = [] } = evidence
  return html`${timeline.length > 0 ? timelineOf(timeline) : ''}
    <div class="wire">
      <figure>
        <figcaption>Request sent</figcaption>
        <pre tabindex="0">${evidence.sent.trimEnd()}</pre>
      </figure>
      <figure>
        <figcaption>Response received</figcaption>
        <pre tabindex="0">${evidence.received.trimEnd()}</pre>
      </figure>
    </div>`
}

/** A row for each event, its place in time as a mark on a line. */
function timelineOf(entries: readonly TimelineEntry[]): Markup {
  const last = Math.max(1, ...entries.map(({ at }) => at))
  return html`<figure class="timeline">
    <figcaption>Timeline, in milliseconds: what was sent, and what came</figcaption>
    <ol tabindex="0">
      ${entries.map(
        ({ at, by, text }) =>
          html`<li class="${by}">
            <span class="at">${at}</span>
            <span class="track"><i style="left:${Math.round((at / last) * 100)}%"></i></span>
            <code>${by === 'runner' ? '→' : '←'} ${text}</code>
          </li>`,
      )}
    </ol>
  </figure>`
}

function knownReason({ known }: CaseReport): Markup | undefined {
  return known === undefined ? undefined : html`<p class="known">Known failure: ${known}</p>`
}

export function anchorOf(id: string): string {
  return `case-${id}`
}

/** A link to a case leads to the worst that was found in it. */
function placeOf({ id, place = '', isBeside }: FoundCase): string {
  return isBeside ? `${anchorOf(id)}-${place}` : anchorOf(id)
}

function shorten(source: string): string {
  return source.replace(/^https?:\/\/(www\.)?/, '').replace(/#.*$/, '')
}
