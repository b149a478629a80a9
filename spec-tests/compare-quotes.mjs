// Compares the statements of an edition with its text, word by word:
//   node spec-tests/compare-quotes.mjs GraphQLOverHTTP.md [EDITION]
// The text is not part of this repository; fixtures/statements/EDITION.json says which commit of
// graphql/graphql-over-http has it, and its sha256. Exits with 0 when the text is that one, every quote is in it, and
// every section is one of its headings; with 1 when something differs, and with 2 when it was called wrongly.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const [textFile, edition = '2026-09'] = process.argv.slice(2)
if (textFile === undefined) {
  console.error('Usage: node spec-tests/compare-quotes.mjs TEXT [EDITION]')
  process.exit(2)
}

const bytes = readFileSync(textFile)
const text = bytes.toString('utf8')
const words = fold(text)
const headings = new Set(Array.from(text.matchAll(/^#+ (.+)$/gm), ([, heading]) => heading))
const statementsFile = new URL(`../fixtures/statements/${edition}.json`, import.meta.url)
const { commit, text: released, statements } = JSON.parse(readFileSync(statementsFile, 'utf8'))
// GS statements quote nothing: they are from the GraphQL specification.
const own = statements.filter(({ id }) => !id.startsWith('GS-'))

const sha256 = createHash('sha256').update(bytes).digest('hex')
const problems = [
  ...(released !== undefined && released.sha256 !== sha256
    ? [`${textFile} is not ${released.path} of ${commit}: its sha256 is ${sha256}.`]
    : []),
  ...own
    .filter(({ quote }) => quote === undefined || !words.includes(fold(quote)))
    .map(({ id, quote }) => `${id}: not in the text: ${quote}`),
  ...own
    .filter(({ section }) => !headings.has(section))
    .map(({ id, section }) => `${id}: no heading of the text: ${section}`),
]

for (const problem of problems) console.error(problem)
console.log(`${own.length} statements of ${edition} compared, ${problems.length} problems`)
process.exit(problems.length === 0 ? 0 : 1)

/** One space wherever lines are broken. */
function fold(passage) {
  return passage.split(/\s+/).join(' ').trim()
}
