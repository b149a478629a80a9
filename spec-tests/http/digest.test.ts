import { createHash } from 'node:crypto'
import t from 'tap'
import { createDigest } from '../../src/http/digest.js'

const texts = ['', '{"data":{}}', 'ä€😀', '\ud800', 'x'.repeat(1_000_000)]

/** Runtimes of a fleet must agree: a tag is valid on all of them. */
const digests = { 'node:crypto': createDigest(), 'Web Crypto': createDigest({}) }
for (const [name, digest] of Object.entries(digests)) {
  for (const text of texts) {
    void t.test(`the digest by ${name} of ${JSON.stringify(text.slice(0, 20))}`, async (t) => {
      const found = digest(text)
      t.equal(typeof found, name === 'node:crypto' ? 'string' : 'object')
      t.equal(await found, createHash('sha256').update(text, 'utf8').digest('base64'))
    })
  }
}
