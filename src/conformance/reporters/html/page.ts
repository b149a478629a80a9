import { html, type Markup } from './markup.js'
import { style } from './style.js'

/** Nothing is loaded or run: a page can be opened without trusting the target. */
const policy = "default-src 'none'; style-src 'unsafe-inline'"

/** A page without other files, network access or scripts. */
export function page(title: Markup, body: Markup): string {
  const { markup } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        <style>
          ${{ markup: style }}
        </style>
      </head>
      <body>
        ${body}
        <footer>
          <p>
            The sentences are quoted from the specifications: GraphQL over HTTP is under the MIT
            license, copyright © 2022-present, GraphQL contributors. Made by
            <code>graphwire conform</code>.
          </p>
        </footer>
      </body>
    </html> `
  return `${markup.trim()}\n`
}
