import type { Report } from '../report.js'
import { allCases } from './html/cases.js'
import { findings } from './html/findings.js'
import { filter, header } from './html/header.js'
import { html } from './html/markup.js'
import { matrix } from './html/matrix.js'
import { style } from './html/style.js'

/** Nothing is loaded, and nothing is run: whoever opens a report need not trust the target. */
const policy = "default-src 'none'; style-src 'unsafe-inline'"

/** The report as one page that needs no other file, no network and no script. */
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
        <title>Conformance of ${target} to GraphQL over HTTP ${edition}</title>
        <style>
          ${{ markup: style }}
        </style>
      </head>
      <body>
        ${header(report)} ${filter(report)}
        <main>${findings(cases)} ${matrix(cases)} ${allCases(cases)}</main>
        <footer>
          <p>
            A fail breaks a MUST, a warn departs from a SHOULD; an info is neither. The sentences
            are quoted from the specifications: GraphQL over HTTP is under the MIT license,
            copyright © 2022-present, GraphQL contributors. Made by <code>graphwire conform</code>.
          </p>
        </footer>
      </body>
    </html> `
  return `${page.markup.trim()}\n`
}
