import { auditServer } from 'graphql-http'
import t from 'tap'
import { serve } from '../src/hosts/node/index.js'
import type { EditionName } from '../src/index.js'
import { createStandardSchema } from '../src/standard/standard-schema.js'
import { explanations, total } from '../site/pages/audits-page.js'

/** The audits that are not ok, by their result. */
async function audit(edition: EditionName) {
  const server = await serve({ schema: createStandardSchema(), port: 0, edition })
  const results = await auditServer({ url: server.url, fetchFn: fetch })
  await server.close()
  const others = results.filter(({ status }) => status !== 'ok')
  return { total: results.length, others: others.map(({ id, status }) => [id, status] as const) }
}

void t.test(`with edition 2025-05 all ${total} audits are ok`, async (t) => {
  t.strictSame(await audit('2025-05'), { total, others: [] })
})

void t.test('with edition 2026-09 each audit that is not ok is explained', async (t) => {
  const found = await audit('2026-09')
  t.equal(found.total, total)
  const explained = explanations.flatMap(({ audits, result }) => audits.map((id) => [id, result]))
  t.strictSame(Object.fromEntries(found.others), Object.fromEntries(explained))
})
