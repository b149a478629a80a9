import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { brotliDecompressSync } from 'node:zlib'
import { fieldValue, type Handler, type HeaderList } from 'graphwire'
import type { AuthMode } from './access/principal.js'
import { createPage, jsonType, readVersion, servePage, whoNeedsKey, type Page } from './pages.js'
import { prefersHtml, readableFor, type Shown } from './readable.js'

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
  const vary = ['Vary', 'Accept', ...headers]
  const start = createPage(htmlType, render('index.html', '/')({ title: 'an API to try' }), vary)
  const index = createPage(
    jsonType,
    JSON.stringify({ name: 'people', version: readVersion(), links }),
    vary,
  )
  const docs = render('docs.html', '/docs')({ title: 'API description' })
  const viewer = createPage(htmlType, docs, viewerHeaders)
  const live = createPage(
    htmlType,
    render('live.html', '/live')({ title: 'live changes' }),
    headers,
  )
  return {
    byPath: {
      // A client that accepts neither still learns where to go.
      '/': servePage((head) => (prefersHtml(head) ? start : index)),
      '/docs': servePage(() => viewer),
      '/live': servePage(() => live),
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

const htmlType = 'text/html; charset=utf-8'

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
const viewerFile = 'rapidoc-9.3.8.js'

/** The media types of assets, by the ends of their names. */
const types: { readonly [end: string]: string } = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
}

/**
 * The assets of pages: files of `assets/`, and the compiled scripts of `browser/`. The digest of all files is in the name of
 * their folder: they can be cached for good and still refer to one another by name.
 */
function readAssets() {
  const files = ['../assets/', 'browser/'].flatMap((place) => {
    const from = new URL(place, import.meta.url)
    return readdirSync(from).flatMap((file) => {
      const name = file.replace(/\.br$/, '')
      const type = types[name.split('.').pop() ?? '']
      if (type === undefined) return []
      return [{ name, type, bytes: readFileSync(new URL(file, from)), isCompressed: name !== file }]
    })
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
  // Other sites have no use for them.
  const headers = ['Cross-Origin-Resource-Policy', 'same-origin']
  if (isCompressed) headers.push('Vary', 'Accept-Encoding')
  const create = (body: Buffer): Page =>
    createPage(type, body, headers, 'public, max-age=31536000, immutable')
  const page = create(bytes)
  if (!isCompressed) return servePage(() => page)
  const packed = { ...page, ofBody: [...page.ofBody, 'Content-Encoding', 'br'] }
  let unpacked: Page | undefined
  return servePage((head) => {
    if (acceptsBrotli.test(fieldValue(head.headers, 'accept-encoding') ?? '')) return packed
    // Decompressed on demand: most processes never need it.
    return (unpacked ??= create(brotliDecompressSync(bytes)))
  })
}

const acceptsBrotli = /(?:^|[\s,])br(?!\s*;\s*q=0(?:\.0+)?\s*(?:,|$))\s*(?:[,;]|$)/i

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
    viewer: viewerFile,
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
