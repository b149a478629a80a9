import { createHash } from 'node:crypto'
import { escapeXml } from '../../../conformance/reporters/words/printable.js'
import { chooseType, fieldValue } from '../../../http/index.js'
import { pathOf, queryOf } from '../../../http/target.js'
import type { Handler, HeaderList } from '../../../index.js'
import { readPackage } from '../../process/package.js'
import type { PlannedOptions } from '../flags/apply-plan.js'
import { idePackage } from '../flags/plan.js'

export const installIde: string = `npm install ${idePackage}`

type Places = Pick<PlannedOptions, 'path' | 'ide' | 'tls'>

/** Answers browsers that open `/`, or the endpoint where no IDE is installed. All other requests go on to the handler. */
export function greetBrowsers<Raw>(
  handler: Handler<Raw>,
  served: Places,
  metrics: string | false,
): Handler<Raw> {
  const { path, ide } = served
  return (request) => {
    const { method, target, headers } = request
    const opened = pathOf(target)
    const isGreeted = opened === path ? ide === undefined : opened === '/'
    if (!isGreeted || (method !== 'GET' && method !== 'HEAD')) return handler(request)
    // A URL with a query is an operation, which browsers may send, too.
    if (queryOf(target) !== '') return handler(request)
    const types = ['application/json', 'text/html'] as const
    if (chooseType(fieldValue(headers, 'accept'), types) !== 'text/html') return handler(request)
    const body = formatPage(served, metrics, fieldValue(headers, 'host') ?? 'localhost')
    return { status: 200, headers: pageHeaders, body }
  }
}

function formatPage({ path, ide, tls }: Places, metrics: string | false, host: string): string {
  const scheme = tls === undefined ? 'http' : 'https'
  const advice =
    ide !== undefined
      ? '<p>Open it to write and run operations in the IDE.</p>'
      : `<p>To write and run operations in the browser, install the IDE and start the server again:</p>
<pre>${installIde}</pre>`
  const curl = `curl '${scheme}://${host}${path}' -H 'Content-Type: application/json' -d '{"query":"{ __typename }"}'`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>graphwire</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>graphwire</h1>
<p>This server serves GraphQL at ${link(path)}.</p>
${advice}
<p>From a shell, send a query by POST:</p>
<pre>${escapeXml(curl)}</pre>
<p>${metrics === false ? '' : `Metrics: ${link(metrics)}. `}<a href="${escapeXml(readPackage().homepage)}">Documentation</a></p>
</main>
</body>
</html>
`
}

function link(target: string): string {
  return `<a href="${escapeXml(target)}">${escapeXml(target)}</a>`
}

const style =
  ':root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0}main{margin:auto;max-width:44rem;padding:1.5rem}' +
  'pre{background:light-dark(#eef0f3,#2b2f36);overflow-wrap:anywhere;padding:.75rem;white-space:pre-wrap}'

// oxfmt-ignore
const pageHeaders: HeaderList = [
  'Content-Type', 'text/html; charset=utf-8',
  'Vary', 'Accept',
  'Cache-Control', 'no-store',
  'Content-Security-Policy', `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy', 'no-referrer',
  'X-Content-Type-Options', 'nosniff',
]
