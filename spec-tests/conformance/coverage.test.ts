import t from 'tap'
import { casesOf, makeCoveragePage, texts } from '../../site/pages/coverage-page.js'

for (const { title, edition, statements } of texts) {
  if (edition === 'next') continue
  void t.test(`${title}: every statement that a wire can show has a case`, async (t) => {
    for (const { id, binds, test, paraphrase } of statements) {
      if (binds !== 'server' || (test !== 'universal' && test !== 'standard')) continue
      t.not(casesOf(id, edition).length, 0, `${id}: ${paraphrase}`)
    }
  })
}

void t.test('every statement without a case has a reason', async (t) => {
  for (const { title, edition, statements } of texts) {
    for (const { id, how } of statements) {
      if (casesOf(id, edition).length > 0) continue
      t.ok(how !== undefined && how.length > 10, `${title}, ${id}`)
    }
  }
})

void t.test('the page of the coverage names each text and statement', async (t) => {
  const page = makeCoveragePage()
  for (const { title, statements } of texts) {
    t.match(page, `\n## ${title}\n`)
    for (const { id } of statements) t.match(page, `\n| ${id} |`)
  }
})
