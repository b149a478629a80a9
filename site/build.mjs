// Builds the site: prepares the pages, lets VitePress make HTML of them, then makes every link relative, so that the
// site works below any path and from a file system, and adds the index of the search and the texts for language models.
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vitepress'
import { readContents } from './contents.mjs'
import { buildPlayground } from './playground/bundle.mjs'
import { ownPages, preparePages, readTitle } from './prepare.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const pages = join(here, '.pages')
const site = join(here, 'dist')

/** Scripts of the site alone, and no request to anyone. Colors of code are in attributes. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'"

await preparePages(pages)
await build(here)
await buildPlayground(site)
const html = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.html'),
)
for (const path of html) {
  writeFileSync(join(site, path), finish(readFileSync(join(site, path), 'utf8'), path))
}
// What VitePress writes for it is empty without its scripts.
renameSync(join(site, 'missing.html'), join(site, '404.html'))
writeFileSync(join(site, '404.html'), detach(readFileSync(join(site, '404.html'), 'utf8')))
rmSync(join(site, 'vp-icons.css'))
writeSearch()
writeTexts()

/** Every URL that begins at the root begins at the page instead, and what these pages do not need is left out. */
function finish(text, path) {
  const up = '../'.repeat(path.split('/').length - 1) || './'
  const script = text.includes('class="playground-place"')
    ? `\n    <script src="${up}playground.js" defer></script>`
    : ''
  const head = `<meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <link rel="icon" href="${up}logo.svg" type="image/svg+xml">
    <script src="${up}site.js"></script>${script}`
  return (
    text
      .replaceAll(
        /\n *<(?:meta name="generator"|link [^>]*href="\/vp-icons\.css"|script id="check-mac-os")[^>]*>(?:[^<]*<\/script>)?/g,
        '',
      )
      .replaceAll('rel="preload stylesheet"', 'rel="stylesheet"')
      .replaceAll(/<table\b[^]*?<\/table>/g, labelCells)
      // Charts scroll in narrow windows, by keyboard too.
      .replaceAll(/<p>(?=<img [^>]*src="[^"]*\.svg")/g, '<p class="chart" tabindex="0">')
      .replaceAll(/<th( [^>]*)?><\/th>/g, '<td$1></td>')
      // Codes may be broken where their words end: tables are narrower.
      .replaceAll(/(?<=<code>[A-Z_]*_)(?=[A-Z])/g, '<wbr>')
      .replaceAll(/(?<=\s(?:href|src)=")\/(?!\/)/g, up)
      // A file system shows what is in a folder, not its index.
      .replaceAll(/(?<=\shref="\.{1,2}\/(?:[^"#]*\/)?)(?=["#])/g, 'index.html')
      .replace('<meta charset="utf-8">', head)
  )
}

/** Tables of text are stacked in narrow windows, where each cell names its column. */
function labelCells(table) {
  const heads = [...table.matchAll(/<th\b[^>]*>([^]*?)<\/th>/g)].map(([, head]) => toText(head))
  if (heads.length < 3 || table.includes('text-align:right')) return table
  const body = table.replaceAll(/<tr\b[^]*?<\/tr>/g, (row) => {
    let at = 0
    return row.replaceAll(/<td\b/g, (cell) => {
      const label = at === 0 ? '' : heads[at].replaceAll('"', '&quot;')
      at += 1
      return `${cell} data-label="${label}"`
    })
  })
  return body.replace('<table', '<table class="stack"')
}

/** A page that is right at any path: it contains its styles and icon, and its script finds the targets of its links. */
function detach(text) {
  const script = readFileSync(join(here, 'find-site.js'), 'utf8')
  const hash = createHash('sha256').update(script).digest('base64')
  const icon = `data:image/svg+xml;base64,${readFileSync(join(site, 'logo.svg'), 'base64')}`
  return text
    .replace('href="./logo.svg"', () => `href="${icon}"`)
    .replace('<script src="./site.js">', () => `<script>${script}`)
    .replace("script-src 'self'", `$& 'sha256-${hash}'`)
    .replace(
      /<link rel="stylesheet" href="\.\/([^"]+)"[^>]*>/,
      (_, path) => `<style>${readFileSync(join(site, path), 'utf8')}</style>`,
    )
    .replaceAll(/(?<=<a\b[^>]*?\s)href="\.\//g, 'data-href="./')
}

/** The sections of all pages, and the library that searches them: classic scripts, which a file system serves too. */
function writeSearch() {
  const names = new Map(
    readContents(pages)
      .flatMap(({ items }) => items)
      .map(({ path, name }) => [path.replace(/md$/, 'html'), name]),
  )
  const sections = html
    .filter(
      (path) =>
        !['404.html', 'index.html', 'missing.html'].includes(path) &&
        // The pages of tested servers have their names, and are reports, too; their index leads to them.
        !/^(?:reports|servers\/(?!index))/.test(path),
    )
    .flatMap((path) => readSections(readFileSync(join(site, path), 'utf8'), path, names.get(path)))
  writeFileSync(
    join(site, 'search-data.js'),
    `globalThis.siteSections = ${JSON.stringify(sections)}\n`,
  )
  const library = createRequire(import.meta.url).resolve('minisearch')
  const folder = join(dirname(library), '..', 'umd')
  copyFileSync(join(folder, 'index.js'), join(site, 'minisearch.js'))
}

/** The sections of a page with their text. */
function readSections(text, path, name) {
  const [, main = ''] = /<main[^>]*>([^]*?)<footer/.exec(text) ?? []
  const parts = main.split(/(?=<h[1-3] id=")/).slice(1)
  const [first = ''] = parts
  const page = toText(/<h1[^>]*>([^]*?)<\/h1>/.exec(first)?.[1] ?? '')
  return parts.map((part, at) => {
    const [, id, title, rest] = /^<h\d id="([^"]*)"[^>]*>([^]*?)<\/h\d>([^]*)$/.exec(part) ?? []
    const url = at === 0 ? path : `${path}#${id}`
    const section = { url, page, heading: toText(title), text: toText(rest) }
    return at === 0 ? Object.assign(section, { name }) : section
  })
}

function toText(markup) {
  return markup
    .replaceAll(
      /<a class="header-anchor"[^]*?<\/a>|<button[^]*?<\/button>|<span class="lang">[^<]*<\/span>/g,
      '',
    )
    .replaceAll(/<\/(?:p|li|td|th|pre|h\d)>/g, ' ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#123;', '{')
    .replaceAll('&amp;', '&')
    .replaceAll(/[\s\u200B]+/g, ' ')
    .trim()
}

/** A Markdown file beside each page, a list of them, and the pages that are not generated in one file. */
function writeTexts() {
  for (const path of readdirSync(pages, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.md') || ownPages.includes(path)) continue
    mkdirSync(dirname(join(site, path)), { recursive: true })
    cpSync(join(pages, path), join(site, path))
  }
  const groups = readContents(pages)
  const lists = groups.map(({ title, items }) => {
    const lines = items.flatMap((item) => [
      `- [${item.name}](${item.path})`,
      ...item.pages.map(({ name, path }) => `  - [${name}](${path})`),
    ])
    return `## ${title}\n\n${lines.join('\n')}`
  })
  const about =
    '> GraphQL over HTTP (September 2026), exactly as the specification says: an engine for Node and other runtimes, a binary, and a conformance suite for servers in any language.'
  writeFileSync(join(site, 'llms.txt'), `${['# graphwire', about, ...lists].join('\n\n')}\n`)
  const texts = groups
    .flatMap(({ items }) => items)
    .filter(({ path }) => !path.startsWith('reports/'))
    .map(({ path }) => readFileSync(join(pages, path), 'utf8'))
  writeFileSync(join(site, 'llms-full.txt'), texts.filter(readTitle).join('\n\n---\n\n'))
}
