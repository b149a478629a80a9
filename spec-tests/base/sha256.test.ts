import { createHash } from 'node:crypto'
import t from 'tap'
import { sha256 } from '../../src/base/sha256.js'

const expected = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

void t.test('it is the SHA-256 of node:crypto, around every end of a block', async (t) => {
  const texts = Array.from({ length: 200 }, (_, length) => 'x'.repeat(length))
  const wrong = texts.filter((text) => sha256(text) !== expected(text))
  t.same(wrong, [])
})

// oxfmt-ignore
const texts: readonly [title: string, text: string][] = [
  ['the example of the draft',   'query ($id: ID!) {\n  user(id: $id) {\n    name\n  }\n}'],
  ['two, three and four bytes',  '# Straße, naïve, 日本, 🏃\n{ __typename }'],
  ['a byte order mark',          '\ufeff{a}'],
  ['a lone surrogate',           '\ud800'],
  ['a zero',                     '\0'],
  ['a long text',                'abc🏃'.repeat(20_000)],
]
for (const [title, text] of texts) {
  void t.test(`the hash of ${title}`, async (t) => t.equal(sha256(text), expected(text)))
}
