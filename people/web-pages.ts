import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { fieldValue, type Handler, type HeaderList } from 'graphwire'
import { chooseType } from 'graphwire/http'
import type { AuthMode } from './access/principal.js'
import { createPage, createReader, jsonType, readVersion, toResponse, type Page } from './pages.js'
import { brotliDecompressSync, gzipSync } from 'node:zlib'

/** What the pages depend on. */
interface WebPageOptions {
  readonly auth: AuthMode
  /** Whether `/graphql` shows browsers an IDE. */
  readonly hasIde: boolean
}

type Handlers = { readonly [path: string]: Handler<IncomingMessage> }

/** The pages for people, and what they load, by path: `/` is JSON for programs. */
export function serveWebPages(options: WebPageOptions): Handlers {
  const assets = readAssets()
  const fill = createFiller(options, assets.folder)
  const policy = formatPolicy({ 'style-src': "'self'", 'img-src': "'self'" })
  // The viewer styles itself by elements and attributes.
  const viewerPolicy = formatPolicy({
    'style-src': "'self' 'unsafe-inline'",
    'img-src': "'self' data:",
  })
  return {
    '/': serveIndex(fill('index.html'), policy),
    '/docs': serveHtml(fill('docs.html'), viewerPolicy),
    '/live': serveHtml(fill('live.html'), policy),
    ...assets.handlers,
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
function serveIndex(html: string, policy: string): Handler<IncomingMessage> {
  const pages = {
    'application/json': createPage(
      jsonType,
      JSON.stringify({ name: 'people', version: readVersion(), links }),
    ),
    'text/html': createPage(htmlType, html),
  }
  const headers = ['Vary', 'Accept', ...pageHeaders(policy)]
  return createReader((head) => {
    // A client that accepts neither still learns where to go.
    const type = chooseType(fieldValue(head.headers, 'accept'), ['application/json', 'text/html'])
    return toResponse(head, pages[type ?? 'application/json'], headers)
  })
}

const htmlType = 'text/html; charset=utf-8'

function serveHtml(html: string, policy: string): Handler<IncomingMessage> {
  const page = createPage(htmlType, html)
  const headers = pageHeaders(policy)
  return createReader((head) => toResponse(head, page, headers))
}

function pageHeaders(policy: string): HeaderList {
  return ['Content-Security-Policy', policy, 'Referrer-Policy', 'no-referrer']
}

/** No script but our files, and no request to another origin; no other site may show the page in a frame. */
function formatPolicy(sources: { readonly [directive: string]: string }): string {
  const directives = {
    'default-src': "'none'",
    'script-src': "'self'",
    'connect-src': "'self'",
    ...sources,
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  }
  return Object.entries(directives)
    .map((directive) => directive.join(' '))
    .join('; ')
}

/** The viewer of the API description, as it was published. */
const viewer = 'rapidoc-9.3.8.js'

const scriptType = 'text/javascript; charset=utf-8'

/** What pages load: files of `assets/`, and what the compiler has made of `browser/`. */
const assetFiles: readonly (readonly [name: string, file: string, type: string])[] = [
  ['pages.css', '../assets/pages.css', 'text/css; charset=utf-8'],
  ['icon.svg', '../assets/icon.svg', 'image/svg+xml'],
  [viewer, `../assets/${viewer}.br`, scriptType],
  [
    'rapidoc-min.js.LICENSE.txt',
    '../assets/rapidoc-min.js.LICENSE.txt',
    'text/plain; charset=utf-8',
  ],
  ...['docs', 'examples', 'follow', 'live', 'page'].map(
    (name) => [`${name}.js`, `browser/${name}.js`, scriptType] as const,
  ),
]

interface Assets {
  /** The digest of all files is part of it, so that they can be cached for good and still refer to one another by name. */
  readonly folder: string
  readonly handlers: Handlers
}

const forGood = 'public, max-age=31536000, immutable'

function readAssets(): Assets {
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
  const fixed = createPage(type, bytes)
  const choosePage = isCompressed ? createPackedPage(type, bytes) : () => fixed
  const headers = [...(isCompressed ? ['Vary', 'Accept-Encoding'] : []), ...ownOrigin]
  return createReader((head) => {
    const page = choosePage(fieldValue(head.headers, 'accept-encoding'))
    return toResponse(head, page, headers, forGood)
  })
}

/** Other sites have no use for them. */
const ownOrigin: HeaderList = ['Cross-Origin-Resource-Policy', 'same-origin']

/** The pages as lines for the terminal. */
export function formatPages(origin: string, hasIde: boolean): readonly string[] {
  return [
    `start page: ${origin}/`,
    ...(hasIde ? [`GraphQL IDE: ${origin}/graphql`] : []),
    `API description: ${origin}/docs`,
    `live changes: ${origin}/live`,
  ]
}

/** Who needs a key, by the setting `AUTH`. */
const whoNeedsKey: { readonly [mode in AuthMode]: string } = {
  off: 'No request needs a key here.',
  writes: 'Reads need no key. Writes need one with the scope write.',
  all: 'Every request needs a key: reads one with the scope read, writes one with the scope write.',
}

/** Fills the holes of a page, which are named in double braces. */
function createFiller({ auth, hasIde }: WebPageOptions, folder: string): (file: string) => string {
  const ideLink = hasIde ? '<a href="/graphql">GraphQL IDE</a>' : ''
  const texts: { readonly [name: string]: string } = {
    version: readVersion(),
    assets: folder,
    viewer,
    auth,
    whoNeedsKey: whoNeedsKey[auth],
    ideLink,
    idePlace: ideLink && `<dt>${ideLink}</dt><dd>Write and run operations in the browser.</dd>`,
  }
  return (file) => {
    const page = readFileSync(new URL(`../assets/${file}`, import.meta.url), 'utf8')
    return page.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const text = texts[name]
      if (text === undefined) throw new Error(`${file}: nothing is named ${name}.`)
      return text
    })
  }
}

/** In the order in which they are preferred where a client has no preference. */
const codings = ['br', 'gzip', 'identity'] as const

type Coding = (typeof codings)[number]

/**
 * A text that is kept compressed with Brotli, in the coding for a value of `Accept-Encoding`. The other codings are
 * made when they are first asked for, and kept: most processes never need them.
 */
export function createPackedPage(
  type: string,
  packed: Buffer,
): (acceptEncoding: string | undefined) => Page {
  const { tag } = createPage(type, packed)
  const unpack = (): Buffer => brotliDecompressSync(packed)
  const make: { readonly [coding in Coding]: () => Page } = {
    br: () => ({ type, body: packed, tag: `${tag}-br`, coding: 'br' }),
    gzip: () => ({ type, body: gzipSync(unpack()), tag: `${tag}-gzip`, coding: 'gzip' }),
    identity: () => ({ type, body: unpack(), tag }),
  }
  const pages = new Map<Coding, Page>()
  return (acceptEncoding) => {
    const coding = chooseCoding(acceptEncoding)
    const page = pages.get(coding) ?? make[coding]()
    pages.set(coding, page)
    return page
  }
}

/**
 * RFC 9110 section 12.5.3. A wildcard does not mean Brotli: the client may only support gzip. A client that
 * accepts nothing gets the text as it is.
 */
export function chooseCoding(acceptEncoding = ''): Coding {
  const weights = new Map(acceptEncoding.split(',').map(parseMember))
  const wildcard = weights.get('*')
  const weigh = (coding: Coding): number =>
    weights.get(coding) ?? (coding === 'br' ? undefined : wildcard) ?? 0
  const most = Math.max(...codings.map(weigh))
  return most > 0 ? (codings.find((coding) => weigh(coding) === most) as Coding) : 'identity'
}

/** A coding and its weight, which is 0 if it is malformed. */
function parseMember(member: string): readonly [coding: string, weight: number] {
  const [coding = '', ...parameters] = member.split(';').map((part) => part.trim().toLowerCase())
  const name = coding === 'x-gzip' ? 'gzip' : coding // section 8.4.1.3
  if (parameters.length === 0) return [name, 1]
  const [, weight = '0'] = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.exec(parameters.join(';')) ?? []
  return [name, Number(weight)]
}
