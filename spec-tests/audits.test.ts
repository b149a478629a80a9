import { readFileSync } from 'node:fs'
import { auditServer } from 'graphql-http'
import t from 'tap'
import { serve } from '../src/hosts/node/index.js'
import type { EditionName } from '../src/index.js'
import { createStandardSchema } from '../src/standard/standard-schema.js'

/** The audits that are not ok, by their result. */
async function audit(edition: EditionName) {
  const server = await serve({ schema: createStandardSchema(), port: 0, edition })
  const results = await auditServer({ url: server.url, fetchFn: fetch })
  await server.close()
  const others = results.filter(({ status }) => status !== 'ok')
  return { total: results.length, others: others.map(({ id, status }) => [id, status] as const) }
}

void t.test('with edition 2025-05 all 61 audits are ok', async (t) => {
  t.strictSame(await audit('2025-05'), { total: 61, others: [] })
})

void t.test(
  'with edition 2026-08 each audit that is not ok is explained in docs/audits.md',
  async (t) => {
    const page = readFileSync(new URL('../../docs/audits.md', import.meta.url), 'utf8')
    const explained = new Map<string, string>()
    for (const [, ids = '', status = ''] of page.matchAll(
      /^\| ([0-9A-Z, ]+) \| (warn|notice) \|/gm,
    )) {
      for (const id of ids.split(', ')) explained.set(id, status)
    }
    const { total, others } = await audit('2026-08')
    t.equal(total, 61)
    t.strictSame(new Map(others), explained)
  },
)
