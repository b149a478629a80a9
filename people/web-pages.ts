import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { fieldValue, type Handler, type HeaderList } from 'graphwire'
import { createPage, jsonType, readVersion, servePage, whoNeedsKey, type Page } from './pages.js'
import { prefersHtml, readableFor, type Shown } from './readable.js'
import type { ServiceSettings } from './settings.js'

type Shows = Pick<ServiceSettings, 'auth' | 'ide'>

/** The pages for people and their assets, by path; and the wrapper that shows resources as pages. */
export function createWebPages(settings: Shows) {
  const assets = readAssets()
  const render = createRenderer(settings, assets.folder)
  const headers = pageHeaders("'self'", "'self'")
  // The viewer styles itself by elements and attributes.
  const viewerHeaders = pageHeaders("'self' 'unsafe-inline'", "'self' data:")
  const vary = ['Vary', 'Accept', ...headers]
  const open = (path: string, more: HeaderList): Page => {
    const [, name = '', file = ''] = pages.find(([one]) => one === path) ?? []
    return createPage('text/html; charset=utf-8', render(file, path)({ title: name }), more)
  }
  const start = open('/', vary)
  const about = { name: 'people', version: readVersion(), links }
  const index = createPage(jsonType, JSON.stringify(about), vary)
  return {
    byPath: {
      // A client that accepts neither still learns where to go.
      '/': servePage((head) => (prefersHtml(head) ? start : index)),
      '/docs': servePage(open('/docs', viewerHeaders)),
      '/live': servePage(open('/live', headers)),
      ...assets.handlers,
    },
    readable: (resources: Handler): Handler =>
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

/** No script but our files, and no request to another origin; no other site may show the page in a frame. */
function pageHeaders(styles: string, images: string): HeaderList {
  const own = `default-src 'none'; script-src 'self'; connect-src 'self'; style-src ${styles}; img-src ${images}`
  const policy = `${own}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  return ['Content-Security-Policy', policy, 'Referrer-Policy', 'no-referrer']
}

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
  const digest = createHash('sha256')
  const served = ['../assets/', 'browser/'].flatMap((place) => {
    const from = new URL(place, import.meta.url)
    return readdirSync(from).flatMap((file) => {
      const name = file.replace(/\.br$/, '')
      const type = types[name.split('.').pop() ?? '']
      if (type === undefined) return []
      const bytes = readFileSync(new URL(file, from))
      digest.update(`${name} ${bytes.length} `).update(bytes)
      return [[name, serveAsset(type, bytes, name !== file)] as const]
    })
  })
  const folder = `/assets/${digest.digest('base64url').slice(0, 16)}`
  const handlers = served.map(([name, handler]) => [`${folder}/${name}`, handler] as const)
  return { folder, handlers: Object.fromEntries(handlers) }
}

function serveAsset(type: string, bytes: Buffer, isCompressed: boolean): Handler {
  // Other sites have no use for them.
  const headers = ['Cross-Origin-Resource-Policy', 'same-origin']
  if (isCompressed) headers.push('Vary', 'Accept-Encoding')
  const create = (body: Buffer): Page =>
    createPage(type, body, headers, 'public, max-age=31536000, immutable')
  const page = create(bytes)
  if (!isCompressed) return servePage(page)
  const packed = { ...page, ofBody: [...page.ofBody, 'Content-Encoding', 'br'] }
  let unpacked: Page | undefined
  return servePage((head) => {
    if (acceptsBrotli.test(fieldValue(head.headers, 'accept-encoding') ?? '')) return packed
    // Decompressed on demand: most processes never need it.
    return (unpacked ??= create(brotliDecompressSync(bytes)))
  })
}

const acceptsBrotli = /(?:^|[\s,])br(?!\s*;\s*q=0(?:\.0+)?\s*(?:,|$))\s*(?:[,;]|$)/i

/** The pages that link to one another, in the terminal and in the head of each page, with their files. */
// oxfmt-ignore
const pages: readonly (readonly [path: string, name: string, file?: string])[] = [
  ['/',        'Start page',      'index.html'],
  ['/graphql', 'GraphQL IDE'],
  ['/docs',    'API description', 'docs.html'],
  ['/live',    'Live changes',    'live.html'],
]

function pagesWith(ide: Shows['ide']): typeof pages {
  return pages.filter(([path]) => ide === 'on' || path !== '/graphql')
}

export function formatPages(origin: string, ide: Shows['ide']): readonly string[] {
  return pagesWith(ide).map(([path, name]) => `${name}: ${origin}${path}`)
}

const keySource = `Create one with
  <code>node people/dist/main.js keys create --name me --scope read,write</code>. Outside production,
  the first start of the service prints a demo key.`

const idePlace =
  '<dt><a href="/graphql">GraphQL IDE</a></dt><dd>Write and run operations in the browser.</dd>'

/** Puts a page into the layout that all share, and fills the placeholders, which are names in double braces. */
function createRenderer({ auth, ide }: Shows, folder: string) {
  const usual = {
    version: readVersion(),
    assets: folder,
    auth,
    whoNeedsKey: whoNeedsKey[auth],
    keyHidden: auth === 'off' ? ' hidden' : '',
    keyHeader: auth === 'off' ? '' : '-H "X-API-Key: $key" ',
    takesKeys: String(auth !== 'off'),
    keySource,
    idePlace: ide === 'on' ? idePlace : '',
  }
  const layout = readPage('layout.html')
  return (file: string, current?: string) => {
    const page = layout.replace('{{content}}', () => readPage(file))
    const anchors = pagesWith(ide).map(([path, name]) => {
      return `<a href="${path}"${path === current ? ' aria-current="page"' : ''}>${name}</a>`
    })
    return (shown: { readonly title: string } | Shown): string => {
      const texts: { [name: string]: string } = { ...usual, links: anchors.join(' '), ...shown }
      return page.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
        const text = texts[name]
        if (text === undefined) throw new Error(`Nothing is named ${name}.`)
        return text
      })
    }
  }
}

function readPage(file: string): string {
  return readFileSync(new URL(`../assets/${file}`, import.meta.url), 'utf8')
}
