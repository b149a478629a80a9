import type { Report } from '../suite/report.js'
import { cutText } from '../../base/cut-text.js'
import { countOf } from '../../base/prose.js'
import { formatHtml, type HtmlOptions } from './html/format-html.js'
import { formatJunit } from './format-junit.js'
import { formatMarkdown } from './format-markdown.js'
import { formatPretty, type PrettyOptions } from './format-pretty.js'
import { formatTap } from './format-tap.js'
import { countFailures, digestOf, type ReportDigest } from './digest/digest.js'
import { escapeXml, toPrintableJson, toPrintableLine } from './words/printable.js'

export type ReporterName = 'pretty' | 'tap' | 'json' | 'junit' | 'markdown' | 'html' | 'badge'

/** Formats a report; only `pretty` and `html` have options. */
export type Reporter = (report: Report, options?: PrettyOptions & HtmlOptions) => string

export const reporters: { readonly [name in ReporterName]: Reporter } = {
  pretty: (report, options) => formatPretty(digestOf(report), options),
  tap: (report) => formatTap(digestOf(report)),
  json: (report) => `${toPrintableJson(JSON.stringify(report, undefined, 2))}\n`,
  junit: (report) => formatJunit(digestOf(report)),
  markdown: (report) => formatMarkdown(digestOf(report)),
  html: (report, options) => formatHtml(digestOf(report), options),
  badge: (report) => formatBadge(digestOf(report)),
}

const colours = { good: '#2e7d32', warned: '#8a6d00', bad: '#b3261e', unknown: '#5f6670' } as const

/** A selection of cases can be long. */
const longestSuite = 40

/** An SVG badge for a README, which loads nothing. */
function formatBadge(report: ReportDigest): string {
  const label = 'GraphQL over HTTP'
  const [state, colour] = stateOf(report)
  const suite =
    report.suite === 'all' ? '' : ` (${cutText(toPrintableLine(report.suite), longestSuite)})`
  const message = `${report.title}${suite}${state === '' ? '' : `: ${state}`}`
  const left = widthOf(label)
  const right = widthOf(message)
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img">`,
    `<title>${escapeXml(`${label}: ${message}`)}</title>`,
    `<rect width="${left + right}" height="20" rx="3" fill="${colours[colour]}"/>`,
    // No clip path: its id would be that of every badge of a page.
    `<path fill="#444b54" d="M3 0H${left}V20H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z"/>`,
    '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">',
    textAt(label, 0, left),
    textAt(message, left, right),
    '</g>',
    '</svg>',
  ].join('\n')}\n`
}

function textAt(words: string, at: number, width: number): string {
  return `<text x="${at + 6}" y="14" textLength="${width - 12}" lengthAdjust="spacingAndGlyphs">${escapeXml(words)}</text>`
}

/** The text of the badge next to the edition: empty if nothing failed. */
function stateOf(report: Report): readonly [string, keyof typeof colours] {
  const { totals } = report
  const { own, http, known } = countFailures(report)
  if (own > 0) return [countOf(own, 'finding'), 'bad']
  if (http > 0) return [`${countOf(http, 'finding')} in HTTP`, 'bad']
  if (totals.error > 0 || report.diagnosis !== undefined) return ['incomplete', 'unknown']
  if (known > 0) return [countOf(known, 'known failure'), 'warned']
  if (totals.warn > 0) return [countOf(totals.warn, 'warning'), 'warned']
  return totals.pass === 0 ? ['not tested', 'unknown'] : ['', 'good']
}

/** About the width of Verdana at 11 pixels; `textLength` makes it exact. */
function widthOf(text: string): number {
  return Math.round(text.length * 6.6) + 12
}
