import { readFileSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { findRules } from '../../src/cli/explain/rules.js'
import { readStatements } from '../../src/conformance/suite/statements.js'
import { editionNames } from '../../src/over-http/editions.js'

const source = new URL('../../../packages/ide/page/src/', import.meta.url)
const file = new URL('sentences.json', source)
const mentioned = readFileSync(new URL('explain.ts', source), 'utf8').matchAll(/'([A-Z]+-\d+)'/g)
const ids = [...new Set([...mentioned].map(([, id = '']) => id))]

/** Without the marks of Markdown and of the specifications' own syntax. */
function withoutMarks(sentence: string): string {
  return sentence
    .replaceAll(/[`*]|(?<!\w)_|_(?!\w)/g, '')
    .replaceAll(/\{"?(\w+)"?\}/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .replace(/:$/, '')
}

/** The sentences that the page shows, by edition; those of protocols of streams are of every edition. */
function collect(): object {
  const books: { [edition: string]: { [id: string]: object } } = { every: {} }
  for (const edition of editionNames) {
    const book: { [id: string]: object } = (books[edition] = {})
    const statements = readStatements(edition)
    for (const { statement, sentence, section, link } of findRules(statements, ids)) {
      const isOfAll = statements.get(statement)?.layer === 'streaming'
      const to = isOfAll ? (books['every'] as object) : book
      const words = { text: withoutMarks(sentence), section, url: link }
      Object.assign(to, { [statement]: words })
    }
  }
  return books
}

void t.test('the page explains statuses in the words of the editions', async (t) => {
  const books = collect()
  if (process.env['UPDATE'] === '1') {
    writeFileSync(file, `${JSON.stringify(books, undefined, 2)}\n`)
  }
  t.strictSame(JSON.parse(readFileSync(file, 'utf8')), books, 'UPDATE=1 writes it')
})

void t.test('each statement that the page names is one of an edition', async (t) => {
  const found = new Set(Object.values(collect()).flatMap((book) => Object.keys(book as object)))
  t.ok(ids.length > 25, `${ids.length} statements`)
  const unknown = ids.filter((id) => !found.has(id))
  t.strictSame(unknown, [])
})
