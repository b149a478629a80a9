import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { brotliDecompressSync } from 'node:zlib'
import { fieldValue, type Handler, type HeaderList } from 'graphwire'
import { chooseType } from 'graphwire/http'
import type { AuthMode } from './access/principal.js'
import {
  createPage,
  createReader,
  jsonType,
  readVersion,
  toResponse,
  whoNeedsKey,
} from './pages.js'
import { readableFor, type Shown } from './readable.js'

/** The settings that the pages show. */
interface WebPageOptions {
  readonly auth: AuthMode
  /** Whether `/graphql` shows browsers an IDE. */
  readonly hasIde: boolean
}

/** The pages for people and their assets, by path; and the wrapper that shows resources as pages. */
export function createWebPages(options: WebPageOptions) {
  const assets = readAssets()
  const render = createRenderer(options, assets.folder)
  const headers = pageHeaders({ 'style-src': "'self'", 'img-src': "'self'" })
  // The viewer styles itself by elements and attributes.
  const viewerHeaders = pageHeaders({
    'style-src': "'self' 'unsafe-inline'",
    'img-src': "'self' data:",
  })
  return {
    byPath: {
      '/': serveIndex(render('index.html', '/')({ title: 'an API to try' }), headers),
      '/docs': serveHtml(render('docs.html', '/docs')({ title: 'API description' }), viewerHeaders),
      '/live': serveHtml(render('live.html', '/live')({ title: 'live changes' }), headers),
      ...assets.handlers,
    },
    readable: (resources: Handler<IncomingMessage>): Handler<IncomingMessage> =>
      readableFor(resources, render('resource.html'), headers),
  }
}

/** For programs; `/` as JSON. */
const links = {
  graphql: '/graphql',
  mcp: '/mcp',
  people: '/people',
  person: '/person/{id}',
  changes: '/people/changes',
  login: '/login',
  openapi: '/openapi.json',
  docs: '/docs',
  follow: '/live',
  metrics: '/metrics',
  live: '/livez',
  ready: '/readyz',
} as const

/** `GET /`: name, version and links, as JSON or as a page. */
function serveIndex(html: string, headers: HeaderList): Handler<IncomingMessage> {
  const index = JSON.stringify({ name: 'people', version: readVersion(), links })
  const json = createPage(jsonType, index)
  const page = createPage(htmlType, html)
  return createReader((head) => {
    // A client that accepts neither still learns where to go.
    const type = chooseType(fieldValue(head.headers, 'accept'), ['application/json', 'text/html'])
    return toResponse(head, type === 'text/html' ? page : json, ['Vary', 'Accept', ...headers])
  })
}

const htmlType = 'text/html; charset=utf-8'

function serveHtml(html: string, headers: HeaderList): Handler<IncomingMessage> {
  const page = createPage(htmlType, html)
  return createReader((head) => toResponse(head, page, headers))
}

/** No script but our files, and no request to another origin; no other site may show the page in a frame. */
function pageHeaders(sources: { readonly [directive: string]: string }): HeaderList {
  const directives = {
    'default-src': "'none'",
    'script-src': "'self'",
    'connect-src': "'self'",
    ...sources,
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  }
  const policy = Object.entries(directives).map((directive) => directive.join(' '))
  return ['Content-Security-Policy', policy.join('; '), 'Referrer-Policy', 'no-referrer']
}

/** The viewer of the API description, as it was published. */
const viewer = 'rapidoc-9.3.8.js'

const scriptType = 'text/javascript; charset=utf-8'

/** The assets of pages: files of `assets/`, and the compiled scripts of `browser/`. */
const assetFiles: readonly (readonly [name: string, file: string, type: string])[] = [
  ['pages.css', '../assets/pages.css', 'text/css; charset=utf-8'],
  ['icon.svg', '../assets/icon.svg', 'image/svg+xml'],
  [viewer, `../assets/${viewer}.br`, scriptType],
  [
    'rapidoc-min.js.LICENSE.txt',
    '../assets/rapidoc-min.js.LICENSE.txt',
    'text/plain; charset=utf-8',
  ],
  ...['docs', 'examples', 'follow', 'live', 'page', 'request'].map(
    (name) => [`${name}.js`, `browser/${name}.js`, scriptType] as const,
  ),
]

const forGood = 'public, max-age=31536000, immutable'

/** The digest of all files is in the name of their folder: they can be cached for good and still refer to one another by name. */
function readAssets() {
  const files = assetFiles.map(([name, file, type]) => {
    const bytes = readFileSync(new URL(file, import.meta.url))
    return { name, type, bytes, isCompressed: file.endsWith('.br') }
  })
  const digest = createHash('sha256')
  for (const { name, bytes } of files) digest.update(`${name} ${bytes.length} `).update(bytes)
  const folder = `/assets/${digest.digest('base64url').slice(0, 16)}`
  const handlers = files.map(({ name, type, bytes, isCompressed }) => {
    return [`${folder}/${name}`, serveAsset(type, bytes, isCompressed)] as const
  })
  return { folder, handlers: Object.fromEntries(handlers) }
}

function serveAsset(type: string, bytes: Buffer, isCompressed: boolean): Handler<IncomingMessage> {
  const page = createPage(type, bytes)
  const headers = [...(isCompressed ? ['Vary', 'Accept-Encoding'] : []), ...ownOrigin]
  const packed = { ...page, tag: `${page.tag}-br`, coding: 'br' }
  let unpacked: Buffer | undefined
  return createReader((head) => {
    if (!isCompressed) return toResponse(head, page, headers, forGood)
    if (acceptsBrotli.test(fieldValue(head.headers, 'accept-encoding') ?? '')) {
      return toResponse(head, packed, headers, forGood)
    }
    // Decompressed on demand: most processes never need it.
    unpacked ??= brotliDecompressSync(bytes)
    return toResponse(head, { ...page, body: unpacked }, headers, forGood)
  })
}

const acceptsBrotli = /(?:^|[\s,])br(?!\s*;\s*q=0(?:\.0+)?\s*(?:,|$))\s*(?:[,;]|$)/i

/** Other sites have no use for them. */
const ownOrigin: HeaderList = ['Cross-Origin-Resource-Policy', 'same-origin']

/** The pages that link to one another: in the terminal, and in the head of each page. */
// oxfmt-ignore
const pages: readonly (readonly [path: string, name: string, link: string])[] = [
  ['/',        'start page',      'Start'],
  ['/graphql', 'GraphQL IDE',     'GraphQL IDE'],
  ['/docs',    'API description', 'API description'],
  ['/live',    'live changes',    'Live changes'],
]

function pagesWith(hasIde: boolean): typeof pages {
  return pages.filter(([path]) => hasIde || path !== '/graphql')
}

/** The pages as lines for the terminal. */
export function formatPages(origin: string, hasIde: boolean): readonly string[] {
  return pagesWith(hasIde).map(([path, name]) => `${name}: ${origin}${path}`)
}

const keySource = `Create one with
  <code>node people/dist/main.js keys create --name me --scope read,write</code>. Outside production,
  the first start of the service prints a demo key.`

/** By the name of the placeholder. */
interface Texts {
  readonly [name: string]: string
}

/** Puts a page into the layout that all share, and fills the placeholders, which are names in double braces. */
function createRenderer({ auth, hasIde }: WebPageOptions, folder: string) {
  const usual = {
    version: readVersion(),
    assets: folder,
    viewer,
    auth,
    whoNeedsKey: whoNeedsKey[auth],
    keyHidden: auth === 'off' ? ' hidden' : '',
    keyHeader: auth === 'off' ? '' : '-H "X-API-Key: $key" ',
    takesKeys: String(auth !== 'off'),
    keySource,
    idePlace: hasIde
      ? '<dt><a href="/graphql">GraphQL IDE</a></dt><dd>Write and run operations in the browser.</dd>'
      : '',
  }
  const layout = readPage('layout.html')
  return (file: string, current?: string) => {
    const page = readPage(file)
    const anchors = pagesWith(hasIde).map(([path, , text]) => {
      return `<a href="${path}"${path === current ? ' aria-current="page"' : ''}>${text}</a>`
    })
    return (shown: Texts | Shown): string => {
      const texts = { ...usual, links: anchors.join(' '), ...shown }
      return fill(layout, { ...texts, content: fill(page, texts) })
    }
  }
}

function readPage(file: string): string {
  return readFileSync(new URL(`../assets/${file}`, import.meta.url), 'utf8')
}

function fill(page: string, texts: Texts): string {
  return page.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const text = texts[name]
    if (text === undefined) throw new Error(`Nothing is named ${name}.`)
    return text
  })
}
