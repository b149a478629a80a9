// Copies the pages of docs to .pages, as the site needs them: an index of a folder is index.md, and links to what is
// not a page lead to the repository.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '..')
const repository = 'https://github.com/graphwire/graphwire'
const source = `${repository}/blob/main`
const folders = `${repository}/tree/main`

/** The pages that only the site has. */
export const ownPages = ['index.md', 'missing.md']

/** Writes the pages, and the pictures that they show, to the folder. */
export function preparePages(pages) {
  rmSync(pages, { recursive: true, force: true })
  const docs = join(root, 'docs')
  for (const path of readdirSync(docs, { recursive: true, encoding: 'utf8' })) {
    if (path.endsWith('.md')) {
      const page = `docs/${path}`
      const text = mendLinks(nameLinks(readFileSync(join(root, page), 'utf8'), page), page)
      write(join(pages, toPage(path)), text)
    } else if (path.endsWith('.svg')) {
      mkdirSync(dirname(join(pages, path)), { recursive: true })
      cpSync(join(docs, path), join(pages, path))
    }
  }
  for (const path of [...ownPages, 'playground.md']) cpSync(join(here, path), join(pages, path))
  cpSync(join(here, 'public'), join(pages, 'public'), { recursive: true })
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
function nameLinks(text, page) {
  return text.replaceAll(
    /(?<!`)\[([\w-]+\.md)\]\(([^)#]*\1)(#[^)]*)?\)/g,
    (link, _, target, anchor = '') => {
      const path = join(root, posix.dirname(page), target)
      return existsSync(path)
        ? `[${readTitle(readFileSync(path, 'utf8'))}](${target}${anchor})`
        : link
    },
  )
}

/** Links that the site has no page for lead to the repository; those to an index name it. */
function mendLinks(text, page) {
  return text.replaceAll(/\]\((?![a-z]+:|[#<])([^)#\s]+)/g, (link, target) => {
    const path = posix.join(posix.dirname(page), target).replace(/\/$/, '')
    const isShown = path.startsWith('docs/') && /\.(?:md|svg)$/.test(path)
    if (isShown && existsSync(join(root, path))) return `](${toPage(target)}`
    const index = `${path}/README.md`
    if (path.startsWith('docs/') && existsSync(join(root, index))) {
      return `](${target.replace(/\/$/, '')}/index.md`
    }
    return `](${isFile(path) ? source : folders}/${path}`
  })
}

function isFile(path) {
  return /\.[\w-]+$/.test(path)
}
