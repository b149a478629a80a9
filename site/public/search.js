// Makes the function that searches the sections of all pages. The site loads it after the library and the sections; the
// check of the site asks it the questions of questions.mjs.
globalThis.makeSiteSearch = () => {
  const { MiniSearch, siteSections } = globalThis
  const index = new MiniSearch({
    idField: 'url',
    fields: ['name', 'page', 'heading', 'text'],
    storeFields: ['url', 'page', 'heading', 'text'],
    // Codes such as NOT_ACCEPTABLE and options such as maxBodyBytes are one word.
    tokenize: (text) => text.split(/[^\p{L}\p{N}_@+-]+/u).filter((word) => word !== ''),
    searchOptions: {
      boost: { heading: 4, page: 3, name: 3 },
      prefix: true,
      fuzzy: (word) => (word.length > 4 && !/[\d_]/.test(word) ? 0.2 : false),
      boostDocument: (url) => weights.find(([start]) => url.startsWith(start))?.[1] ?? 1,
    },
  })
  index.addAll(siteSections)

  return (text) => {
    const words = text
      .split(/\s+/)
      .filter((word) => !fillers.has(word.toLowerCase().replace('?', '')))
    const query = words.join(' ')
    const found = index.search(query, { combineWith: 'AND' })
    return onePerPage(found.length > 0 ? found : index.search(query, { combineWith: 'OR' }))
  }
}

/** The best section of each page, the best page first. */
function onePerPage(found) {
  const pages = new Map()
  for (const one of found) if (!pages.has(one.page)) pages.set(one.page, one)
  return [...pages.values()]
}

/** Decisions and pages about one server rank below the pages that say how something works. */
const weights = [
  ['decisions/', 0.3],
  ['changelog', 0.3],
  ['migration/', 0.6],
  ['people', 0.6],
  ['status/', 0.7],
  ['codes/', 0.7],
]

/** Words of questions that say nothing about the page. */
const fillers = new Set(
  'a add an and are can do does for from get how i in is it my of on or the this to use what when where why with'.split(
    ' ',
  ),
)
