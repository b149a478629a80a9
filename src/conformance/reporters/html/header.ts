import { verdicts, type Report } from '../../report.js'
import { formatConclusion, formatDuration, formatTotals } from '../summary.js'
import { html, type Markup } from './markup.js'

/** What was tested, and what it came to. */
export function header(report: Report): Markup {
  const { target, edition, suite, startedAt, durationMs, capabilities } = report
  return html`<header>
    <p class="kicker">GraphQL over HTTP · conformance report</p>
    <h1>${target}</h1>
    <p class="conclusion ${toneOf(report)}">${formatConclusion(report)}</p>
    ${bar(report)}
    <dl class="facts">
      ${fact('Edition', edition)} ${fact('Suite', suite)}
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

/** Chooses which verdicts the page shows, without a script. */
export function filter({ totals, cases }: Report): Markup {
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
