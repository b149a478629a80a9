import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readContents } from '../contents.mjs'
import { drawMatrix, drawSpeed } from '../pictures.mjs'

const pages = fileURLToPath(new URL('../.pages', import.meta.url))

/** The anchors of GitHub, where the same pages are read. */
function slugify(text) {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}

/** Where the site is published, for what needs a whole URL. */
const address = process.env.SITE_URL ?? 'https://graphwire.github.io/graphwire/'

/** The first paragraph of a page, as far as search engines show it. */
function describePage(path) {
  const text = readFileSync(join(pages, path), 'utf8').replaceAll(
    /^(?:---|```)[^]*?^(?:---|```)$/gm,
    '',
  )
  const first = text.split(/\n\s*\n/).find((block) => /^\s*[\p{L}`[*]/u.test(block)) ?? ''
  const plain = first
    .replaceAll(/[`*]|!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return plain.length <= maxDescription
    ? plain
    : `${plain.slice(0, maxDescription).replace(/\s\S*$/, '')} ...`
}

const maxDescription = 160

export default {
  lang: 'en',
  title: 'graphwire',
  description: 'GraphQL over HTTP that can prove it.',
  srcDir: '.pages',
  outDir: 'dist',
  // Pages without a framework: they work from any folder, and from a file system.
  mpa: true,
  appearance: false,
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify },
    headers: { level: [2, 3], slugify },
    languageAlias: { vcl: 'c', haproxy: 'ini' },
  },
  sitemap: {
    hostname: address,
    transformItems: (items) => items.filter(({ url }) => url !== 'missing.html'),
  },
  transformPageData: ({ description, relativePath }) => ({
    description: description || describePage(relativePath),
  }),
  transformHead: ({ title, description }) =>
    Object.entries({
      'og:type': 'website',
      'og:title': title,
      'og:description': description,
      'og:image': `${address}card.png`,
      'twitter:card': 'summary_large_image',
    }).map(([property, content]) => ['meta', { property, content }]),
  themeConfig: {
    groups: readContents(pages),
    cases: readFileSync(join(pages, 'conform.md'), 'utf8').match(/^\| September 2026 \| (\d+)/m)[1],
    matrix: drawMatrix(),
    speed: drawSpeed('W2'),
    terminal: readFileSync(new URL('../terminal.txt', import.meta.url), 'utf8').trimEnd(),
  },
}
