import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { fieldValue, type Handler } from 'graphwire'
import { answerPage, createPage, createReader } from './fixed.js'

const links = {
  graphql: '/graphql',
  people: '/people',
  person: '/person/{id}',
  login: '/login',
  openapi: '/openapi.json',
  metrics: '/metrics',
  live: '/livez',
  ready: '/readyz',
} as const

/** Answers `GET /`: what this is and where to go on, as JSON, or as a page for browsers. */
export function answerIndex(): Handler<IncomingMessage> {
  const facts = { name: 'people', version: readVersion(), links }
  const json = createPage('application/json; charset=utf-8', JSON.stringify(facts))
  const html = createPage('text/html; charset=utf-8', formatHtml(facts.version))
  return createReader((head) => {
    const page = wantsHtml(fieldValue(head.headers, 'accept')) ? html : json
    return answerPage(head, page, ['Vary', 'Accept', 'Content-Security-Policy', policy])
  })
}

const policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** Browsers name the type; what else asks gets JSON, and so does who likes that better. */
function wantsHtml(accept = ''): boolean {
  const html = qualityOf('text/html', accept)
  return html > 0 && html >= qualityOf('application/json', accept)
}

/** How much a type is wanted that is named in full; 0 where it is not. */
function qualityOf(type: string, accept: string): number {
  for (const range of accept.split(',')) {
    const [name, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    if (name !== type) continue
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    return weight === undefined ? 1 : Number(weight.slice(2)) || 0
  }
  return 0
}

/** The version of the service's own package. */
export function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

/** What a browser cannot follow. */
const unlinked: { readonly [path: string]: string } = {
  [links.graphql]: `<code>POST ${links.graphql}</code>`,
  [links.person]: `<code>${links.person}</code>`,
  [links.login]: `<code>POST ${links.login}</code>`,
}

function formatHtml(version: string): string {
  const rows = Object.entries(links).map(([name, path]) => {
    const place = unlinked[path] ?? `<a href="${path}">${path}</a>`
    return `<tr><th>${name}</th><td>${place}</td></tr>`
  })
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>people</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; margin: 3rem auto; max-width: 40rem; padding: 0 1rem }
  th { text-align: left; padding-right: 2rem; font-weight: 600 }
  code { background: #eee; padding: 0.1em 0.3em }
</style>
<h1>people ${version}</h1>
<p>Persons with friends and addresses: GraphQL at <code>POST /graphql</code>, resource-style endpoints beside it.</p>
<table>
${rows.join('\n')}
</table>
<p>Try <a href="/person/1">/person/1</a>; <a href="/openapi.json">/openapi.json</a> describes the rest.</p>
</html>
`
}
