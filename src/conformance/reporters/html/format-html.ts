import { titleOf } from '../../suite/editions.js'
import { verdicts, type Report } from '../../suite/report.js'
import { formatConclusion, formatDuration, formatTotals, layersOf } from '../digest/summary.js'
import { allCases, findings } from './cases.js'
import { html, type Markup } from './markup.js'
import { matrix } from './matrix.js'
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
