import type { CaseReport, Report } from '../../suite/report.js'
import { changeKinds, countChanges, diffReports, type CaseChange } from '../digest/diff.js'
import { digestOf, formatTotals, type ReportDigest } from '../digest/digest.js'
import { citation, line, verdictMark, wire } from './cases.js'
import { breakable, html, page, row, table, type Markup } from './markup.js'
import { bar } from './matrices.js'

export function formatDiffHtml(before: Report, after: Report): string {
  const diff = diffReports(before, after)
  const old = new Map(before.cases.map((one) => [one.id, one]))
  const young = new Map(after.cases.map((one) => [one.id, one]))
  const items = (list: readonly CaseChange[], isOpen: boolean): readonly Markup[] =>
    list.map((change) => item(change, old.get(change.id), young.get(change.id), isOpen))
  const tone = diff.worse.length > 0 ? 'fail' : 'pass'
  return page(
    html`Conformance of ${after.target}: what changed`,
    html`<header>
        <p class="kicker">GraphQL over HTTP · two conformance reports</p>
        <h1>What changed at ${breakable(after.target)}</h1>
        <p class="conclusion ${tone}">${countChanges(diff)}</p>
        ${warnings(before, after)}
      </header>
      <main>
        ${comparison(digestOf(before), digestOf(after))}
        ${changeKinds
          .filter(([kind]) => diff[kind].length > 0)
          .map(([kind, name]) => section(name, items(diff[kind], kind === 'worse')))}
      </main>`,
  )
}

/** Reports of different targets or editions can be compared, but with a warning. */
function warnings(before: Report, after: Report): readonly Markup[] {
  const differing = (['target', 'edition', 'suite'] as const).filter(
    (name) => before[name] !== after[name],
  )
  return [
    ...differing.map((name) => `The ${name} of the two reports is not the same.`),
    ...[before, after].flatMap(({ diagnosis }) => diagnosis ?? []),
  ].map((text) => html`<p class="conclusion warn">${text}</p>`)
}

function comparison(before: ReportDigest, after: ReportDigest): Markup {
  const rows: readonly (readonly [string, (report: ReportDigest) => Markup | string])[] = [
    ['Target', ({ target }) => breakable(target)],
    ['Edition', ({ title }) => title],
    ['Suite', ({ suite }) => suite],
    ['Started', ({ startedAt }) => startedAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')],
    ['Cases', ({ totals }) => html`${bar(totals)} ${formatTotals(totals)}`],
    ['Result', ({ conclusion }) => conclusion],
  ]
  const made = rows.map(([name, read]) => row(name, [before, after].map(read)))
  const label = 'The two reports'
  return table(['Report', 'Before', 'After'], [made], { label, style: 'wide equal' })
}

function section(name: string, items: readonly Markup[]): Markup {
  return html`<section class="suite" id="${name.replaceAll(' ', '-')}">
    <h2>
      ${name.replace(/^./, (first) => first.toUpperCase())}
      <span class="totals">${items.length}</span>
    </h2>
    <ul>
      ${items}
    </ul>
  </section>`
}

function item(
  { id, title, before, after }: CaseChange,
  old: CaseReport | undefined,
  young: CaseReport | undefined,
  isOpen: boolean,
): Markup {
  const arrow = before && after && ' → '
  return html`<li>
    <details ${isOpen ? 'open' : ''}>
      <summary class="line">
        ${line(id, title)}
        <span class="marks"
          >${before && verdictMark(before)}${arrow}${after && verdictMark(after)}</span
        >
      </summary>
      <div class="more">
        ${state('Before', old)} ${state('After', young)} ${citation((young ?? old)?.spec ?? null)}
        ${wire(young?.evidence ?? old?.evidence)}
      </div>
    </details>
  </li>`
}

function state(when: string, one: CaseReport | undefined): Markup | undefined {
  if (!one?.message) return undefined
  const messages = [one, ...(one.also ?? [])].map(({ message }) => message)
  return html`<p class="message">${when}: ${[...new Set(messages)].join('; ')}</p>`
}
