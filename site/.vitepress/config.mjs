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

export default {
  lang: 'en',
  title: 'graphwire',
  description: 'GraphQL over HTTP, exactly as the specification says.',
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
  themeConfig: { groups: readContents(pages), matrix: drawMatrix(), speed: drawSpeed('W2') },
}
