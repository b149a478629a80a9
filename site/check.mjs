// Checks the built site: each link and each file that a page names exists, anchors too, no URL begins at the root, no
// page loads anything of another origin, each has a description, a picture, a policy and a place in the sitemap, the page of
// 404 depends on no path, and the search answers what users ask.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import { questions } from './questions.mjs'

const site = fileURLToPath(new URL('dist', import.meta.url))
const files = readdirSync(site, { recursive: true, encoding: 'utf8' })
const pages = new Map(
  files
    .filter((path) => path.endsWith('.html'))
    .map((path) => [path, readFileSync(join(site, path), 'utf8')]),
)
const anchors = new Map(
  [...pages].map(([path, text]) => [
    path,
    new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => unescape(id))),
  ]),
)
const sitemap = readFileSync(join(site, 'sitemap.xml'), 'utf8')
const addresses = [...sitemap.matchAll(/<loc>([^<]*)/g)].map(([, address]) => address).toSorted()
const faults = [
  ...[checkPage, checkHead].flatMap((check) =>
    [...pages].flatMap(([page, text]) => check(page, text)),
  ),
  ...checkSearch(),
]
for (const fault of faults) console.error(fault)
console.log(`${pages.size} pages, ${faults.length} faults`)
process.exitCode = faults.length === 0 && pages.size > 0 ? 0 : 1

/** The right page is among the first three results, as the scripts of the site find them. */
function checkSearch() {
  const context = createContext({})
  for (const name of ['minisearch.js', 'search-data.js', 'search.js']) {
    runInContext(readFileSync(join(site, name), 'utf8'), context)
  }
  const find = context.makeSiteSearch()
  return questions.flatMap(([question, page]) => {
    const found = find(question)
      .slice(0, 3)
      .map(({ url }) => url.split('#')[0])
    return found.includes(`${page}.html`)
      ? []
      : [`${question}: ${page} is not in ${found.join(', ')}`]
  })
}

function checkPage(page, text) {
  return [...text.matchAll(/<([\w-]+)\b[^>]*?\s(href|src|data-href)="([^"]*)"/g)].flatMap(
    ([, element, attribute, value]) => {
      const fault = findFault(page, element, attribute, unescape(value))
      return fault === undefined ? [] : [`${page}: ${value}: ${fault}`]
    },
  )
}

function checkHead(page, text) {
  const [, picture] = /<meta property="og:image" content="[^"]*\/([^"/]+)"/.exec(text) ?? []
  // The first address is that of the start page, with which the others begin.
  const address = `${addresses[0]}${page.replace(/(^|\/)index\.html$/, '$1')}`
  const isListed = addresses.includes(address)
  return [
    [/<meta name="description" content="[^"]+"/.test(text), 'has no description'],
    [picture !== undefined && existsSync(join(site, picture)), 'has no picture'],
    [/<meta http-equiv="Content-Security-Policy"/.test(text), 'has no policy'],
    [
      isListed !== ['404.html', 'missing.html'].includes(page),
      'is not as it should in the sitemap',
    ],
  ].flatMap(([isRight, fault]) => (isRight ? [] : [`${page}: ${fault}`]))
}

function findFault(page, element, attribute, url) {
  if (/^(?:https?|mailto):/.test(url)) {
    return element === 'a' && attribute === 'href' ? undefined : 'is loaded from another origin'
  }
  if (url.startsWith('data:')) return undefined
  if (url.startsWith('/')) return 'begins at the root'
  const [path, anchor] = url.split('#')
  if (path.endsWith('/')) return 'is a folder, which a file system lists'
  if (page === '404.html' && path !== '' && attribute !== 'data-href') {
    return 'is relative to a path that is not known'
  }
  const target = path === '' ? page : posix.join(posix.dirname(page), decodeURI(path))
  if (!existsSync(join(site, target))) return 'does not exist'
  if (anchor === undefined || anchor === '') return undefined
  return anchors.get(target)?.has(decodeURIComponent(anchor)) ? undefined : 'has no such anchor'
}

function unescape(text) {
  return text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'")
}
