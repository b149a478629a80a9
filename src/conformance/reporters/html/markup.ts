import { pageStyle } from './style.js'
import { toPlainSentence, escapeXml } from '../words/printable.js'

/** HTML that is safe to put into a page. Only `html` makes it. */
export interface Markup {
  readonly markup: string
}

/** A value in a template of `html`; undefined adds nothing. */
export type MarkupValue = string | number | Markup | readonly Markup[] | undefined

/** Makes HTML of a template. Strings are escaped, so that text of a target is never read as markup. */
export function html(parts: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup {
  // The indentation of the templates would be half of a page.
  const [first = '', ...rest] = parts.map((part) => part.replaceAll(/\n\s+/g, '\n'))
  const markup = rest.reduce((text, part, at) => text + toText(values[at]) + part, first)
  return { markup }
}

/** A sentence of a specification: its emphasis and its code are set as such, its links are text. */
export function sentence(text: string): Markup {
  const markup = escapeHtml(toPlainSentence(text))
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/(^|[^\w])_([^_<>]+)_(?=$|[^\w])/g, '$1<em>$2</em>')
  return { markup }
}

/** An address or an id, which may be broken behind its parts, and not within them. */
export function breakable(text: string): Markup {
  const ends = /(?:(?<!\/)[/?](?=[\p{L}\d])|\.(?=\p{L})|(?<=\d):(?=\d))/gu
  return { markup: escapeHtml(text).replaceAll(ends, '$&<wbr />') }
}

/** A link if the address is a web address, otherwise only its text. */
export function link(address: string, text: Markup): Markup {
  if (!/^https?:\/\//.test(address)) return text
  return html`<a href="${address}" rel="noopener noreferrer">${text}</a>`
}

/** A table with groups of rows, which scrolls sideways if it has a label. */
export function table(
  columns: readonly (string | Markup)[],
  groups: readonly (readonly Markup[])[],
  { label, style = '' }: { readonly label?: string; readonly style?: string } = {},
): Markup {
  const made = html`<table>
    <thead>
      <tr>
        ${columns.map((column) => html`<th scope="col">${column}</th>`)}
      </tr>
    </thead>
    ${groups.map(
      (rows) =>
        html`<tbody>
          ${rows}
        </tbody>`,
    )}
  </table>`
  if (label === undefined) return made
  return html`<div class="${style}" role="region" tabindex="0" aria-label="${label}">${made}</div>`
}

export function row(name: string | Markup, values: readonly (string | Markup)[]): Markup {
  return html`<tr>
    <th scope="row">${name}</th>
    ${values.map((value) => html`<td>${value}</td>`)}
  </tr>`
}

/** An entry of a description list. */
export function fact(name: string | Markup, value: string): Markup {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`
}

function toText(value: MarkupValue = ''): string {
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return escapeHtml(value)
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('')
}

function escapeHtml(text: string): string {
  return escapeXml(text).replaceAll("'", '&#39;')
}

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
          ${{ markup: pageStyle }}
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
