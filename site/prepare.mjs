// Writes the pages to .pages, as the site needs them: those of docs and of packages, the changelog, and those that are generated. An index
// of a folder is index.md, and links to what is not a page lead to the repository.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeGeneratedPages } from '../dist/site/pages/generated-pages.js'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '..')
const repository = 'https://github.com/graphwire/graphwire'
const source = `${repository}/blob/main`
const folders = `${repository}/tree/main`

/** Sources that pages link to, and the pages that are generated from them. */
const generatedFrom = {
  '../src/options/options.ts': 'options.md',
  '../src/cli/serve/flags/serve-flags.ts': 'flags.md',
  '../src/cli/conform/conform-flags.ts': 'flags.md',
  '../src/over-http/refusals.ts': 'codes/README.md',
  '../site/pages/audits-page.ts': 'reports/audits.md',
}

/** The pages that only the site has. */
export const ownPages = ['index.md', 'missing.md']

/** Writes the pages, and the pictures that they show, to the folder. */
export async function preparePages(folder) {
  rmSync(folder, { recursive: true, force: true })
  const docs = join(root, 'docs')
  const pages = new Map(await makeGeneratedPages())
  pages.set('changelog.md', readChangelog())
  for (const name of readdirSync(join(root, 'packages'))) {
    pages.set(`packages/${name}.md`, readPackage(name))
  }
  for (const path of readdirSync(docs, { recursive: true, encoding: 'utf8' })) {
    if (path.endsWith('.md')) pages.set(path, readFileSync(join(docs, path), 'utf8'))
    else if (path.endsWith('.svg')) cpSync(join(docs, path), join(folder, path))
  }
  for (const [path, text] of pages) {
    write(join(folder, toPage(path)), mendLinks(nameLinks(text, path, pages), path, pages))
  }
  for (const path of [...ownPages, 'playground.md']) cpSync(join(here, path), join(folder, path))
  cpSync(join(here, 'public'), join(folder, 'public'), { recursive: true })
}

/** The changelog, with its links as those of a page of docs. */
function readChangelog() {
  return readFileSync(join(root, 'CHANGELOG.md'), 'utf8').replaceAll(
    /\]\((docs\/)?(?!\w+:)/g,
    (_, docs) => (docs ? '](' : '](../'),
  )
}

/** The README of a package, with its links as those of a page of docs/packages. */
function readPackage(name) {
  const folder = `packages/${name}`
  return readFileSync(join(root, folder, 'README.md'), 'utf8').replaceAll(
    /\]\((?!\w+:|#)([^)]+)/g,
    (_, target) => `](${posix.relative('docs/packages', posix.join(folder, target))}`,
  )
}

/** The title of a page, as text. */
export function readTitle(markdown) {
  const [, title = ''] = /^# (.+)$/m.exec(markdown) ?? []
  return title.replaceAll(/[`*]|\[([^\]]*)\]\([^)]*\)/g, '$1')
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

function toPage(path) {
  return path.replace(/(^|\/)README\.md$/, '$1index.md')
}

/** Links that show the name of a file show the title of its page. */
function nameLinks(text, page, pages) {
  return text.replaceAll(
    /(?<!`)\[([\w-]+\.md)\]\(([^)#]*\1)(#[^)]*)?\)/g,
    (link, _, target, anchor = '') => {
      const found = pages.get(posix.join(posix.dirname(page), target))
      return found === undefined ? link : `[${readTitle(found)}](${target}${anchor})`
    },
  )
}

/** Links to an index name it, and those that the site has no page for lead to the repository. */
function mendLinks(text, page, pages) {
  const folder = posix.dirname(page)
  return text.replaceAll(
    /\[([^\]]*)\]\((?![a-z]+:|[#<])([^)#\s]+)(#[^)\s]*)?/g,
    (_, name, target, anchor = '') => {
      const path = posix
        .join(folder, target)
        .replace(/\/$/, '')
        .replace(/^\.\.\/packages\/([\w-]+)\/README\.md$/, 'packages/$1.md')
      const generated = generatedFrom[path] ?? findTopic(name, path)
      if (generated !== undefined) return `[${name}](${toPage(posix.relative(folder, generated))}`
      const found = [path, `${path}/README.md`].find(
        (one) => pages.has(one) || one.endsWith('.svg'),
      )
      return found === undefined
        ? `[${name}](${toSource(posix.join('docs', path))}${anchor}`
        : `[${name}](${toPage(posix.relative(folder, found))}${anchor}`
    },
  )

  /** A link to the page of errors, whose text is a status or a code, leads to the page of that. */
  function findTopic(name, path) {
    if (path !== 'errors.md') return undefined
    const topic = name.replaceAll('`', '').toLowerCase().replaceAll('_', '-')
    return [`status/${topic}.md`, `codes/${topic}.md`].find((one) => pages.has(one))
  }
}

function toSource(path) {
  return `${/\.[\w-]+$/.test(path) ? source : folders}/${path}`
}
