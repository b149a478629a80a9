import { verdicts, type Report } from '../../suite/report.js'
import { digestOf, type ReportDigest } from '../digest/digest.js'
import { allCases, findings } from './cases.js'
import { breakable, fact, html, page, type Markup } from './markup.js'
import { bar, editionMatrix, statementMatrix, suiteTable } from './matrices.js'

/** Additions to a page besides its report. */
export interface HtmlOptions {
  /** Reports of the same target in other editions, which are shown side by side with it. */
  readonly others?: readonly Report[]
}

export function formatHtml(report: ReportDigest, { others = [] }: HtmlOptions = {}): string {
  const { target, title, cases } = report
  return page(
    html`Conformance of ${target} to GraphQL over HTTP, ${title}`,
    html`${header(report)}
      <main>
        ${contents(report, others)} ${suiteTable(report)} ${filter(report)}
        ${editionMatrix([report, ...others.map(digestOf)])} ${findings(report.habits)}
        ${statementMatrix(cases)} ${allCases(report)}
      </main>`,
  )
}

function contents({ cases, habits }: ReportDigest, others: readonly Report[]): Markup {
  const { length } = habits
  const { size } = new Set(habits.flat(2).map(({ id }) => id))
  const counted = length === size ? `${length}` : `${length}, in ${size} cases`
  const links = [
    ...(others.length === 0 ? [] : [html`<a href="#editions">Editions side by side</a>`]),
    ...(length === 0 ? [] : [html`<a href="#findings">Findings (${counted})</a>`]),
    html`<a href="#statements">By statement</a>`,
    html`<a href="#cases">All cases (${cases.length})</a>`,
  ]
  return html`<nav class="contents" aria-label="Contents">${links}</nav>`
}

function header(report: ReportDigest): Markup {
  const { target, suite, startedAt, capabilities, diagnosis } = report
  return html`<header>
    <p class="kicker">GraphQL over HTTP · conformance report</p>
    <h1>${breakable(target)}</h1>
    ${diagnosis && html`<p class="conclusion fail">${diagnosis}</p>`}
    <p class="conclusion ${toneOf(report)}">${report.conclusion}</p>
    ${bar(report.totals)}
    <dl class="facts">
      ${fact('Edition', report.title)} ${fact('Suite', suite)}
      ${fact('Started', startedAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC'))}
      ${fact('Duration', report.duration)}
      ${fact('Capabilities found', capabilities.join(', ') || 'none')}
    </dl>
  </header>`
}

function toneOf({ totals }: Report): string {
  if (totals.fail + totals.error > 0) return 'fail'
  return totals.warn > 0 ? 'warn' : totals.pass > 0 ? 'pass' : 'skip'
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
