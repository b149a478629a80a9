import type { Report } from '../report.js'
import { formatHtml } from './format-html.js'
import { formatJson } from './format-json.js'
import { formatJunit } from './format-junit.js'
import { formatMarkdown } from './format-markdown.js'
import { formatPretty, type PrettyOptions } from './format-pretty.js'
import { formatTap } from './format-tap.js'

/** The name of a reporter. */
export type ReporterName = 'pretty' | 'tap' | 'json' | 'junit' | 'markdown' | 'html'

/** Makes text of a report; the options are for `pretty` alone. */
export type Reporter = (report: Report, options?: PrettyOptions) => string

/** The reporters by name. */
export const reporters: { readonly [name in ReporterName]: Reporter } = {
  pretty: formatPretty,
  tap: formatTap,
  json: formatJson,
  junit: formatJunit,
  markdown: formatMarkdown,
  html: formatHtml,
}
