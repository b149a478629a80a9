import { checkIdeOptions, toAttributes, type IdeOptions } from './options.js'
import { openAssets, type IdeResponse } from './assets.js'

export type { IdeResponse } from './assets.js'
export type { IdeExample, IdeOptions } from './options.js'

/** The part of a request that is used: its headers as names and values in turn. */
export interface IdeRequest {
  readonly headers: readonly string[]
}

/** The option `ide` of `createHandler` and of everything that takes its options. */
export interface Ide {
  page(head: IdeRequest, facts: { readonly edition: string }): IdeResponse
  asset(name: string, head: IdeRequest): IdeResponse | undefined
}

/** Makes the IDE. Its files are read when they are first asked for. */
export function createIde(options: IdeOptions = {}): Ide {
  checkIdeOptions(options)
  const { title = 'GraphQL', brotli = true } = options
  const assets = openAssets(new URL('../assets/', import.meta.url), brotli)
  const attributes = toAttributes(options)
  return {
    page(_head, { edition }) {
      const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)}</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="?ide=${assets.style}">
<script type="module" src="?ide=${assets.script}"></script>
</head>
<body data-edition="${escape(edition)}"${attributes.map(([name, value]) => ` data-${name}="${escape(value)}"`).join('')}>
<main id="ide"><p>Loading the IDE ...</p></main>
<noscript><p>The IDE needs JavaScript. Without it, send queries to this URL with any HTTP client.</p></noscript>
</body>
</html>
`
      return { status: 200, headers: pageHeaders, body }
    },
    asset: (name, { headers }) => assets.respond(name, headers),
  }
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
}

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Cpath fill='none' stroke='%23d60690' stroke-width='2.5' d='M16 4l10.4 6v12L16 28 5.6 22V10zM16 4L5.6 22h20.8z'/%3E%3C/svg%3E"

/** No inline script and no other origin. Monaco sets colors and sizes by inline styles. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self' ws: wss:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** For all other requests the same URL is a GraphQL endpoint, hence `Vary`. */
// oxfmt-ignore
const pageHeaders: readonly string[] = Object.freeze([
  'Content-Type', 'text/html; charset=utf-8',
  'Vary', 'Accept',
  'Cache-Control', 'no-store',
  'Content-Security-Policy', policy,
  'Referrer-Policy', 'no-referrer',
  'X-Content-Type-Options', 'nosniff',
])
