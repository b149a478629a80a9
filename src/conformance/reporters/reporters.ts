import type { Report } from '../suite/report.js'
import { formatBadge } from './format-badge.js'
import { formatHtml, type HtmlOptions } from './html/format-html.js'
import { formatJunit } from './format-junit.js'
import { formatMarkdown } from './format-markdown.js'
import { formatPretty, type PrettyOptions } from './format-pretty.js'
import { formatTap } from './format-tap.js'
import { toPrintableJson } from './words/printable.js'

/** The name of a reporter. */
export type ReporterName = 'pretty' | 'tap' | 'json' | 'junit' | 'markdown' | 'html' | 'badge'

/** Formats a report; only `pretty` and `html` have options. */
export type Reporter = (report: Report, options?: PrettyOptions & HtmlOptions) => string

/** The reporters by name. */
export const reporters: { readonly [name in ReporterName]: Reporter } = {
  pretty: formatPretty,
  tap: formatTap,
  json: (report) => `${toPrintableJson(JSON.stringify(report, undefined, 2))}\n`,
  junit: formatJunit,
  markdown: formatMarkdown,
  html: formatHtml,
  badge: formatBadge,
}
