import { pino } from 'pino'
import t from 'tap'
import { testClient } from '../../src/hosts/testing.js'
import { buildSchema, createHandler } from '../../src/index.js'
import { clientOf } from '../handler/client-of.js'
import { onAccess, onPhase, storeIds } from '../../examples/guide/observe.js'
import type { Access, Phase } from '../../examples/guide/observe.js'

const Query = { now: () => 'now', later: async () => 'later' }
const schema = buildSchema('type Query { now: String  later: String }', { Query })

void t.test('each request is reported once, refusals included', async (t) => {
  const seen: Access[] = []
  const stop = onAccess((access) => void seen.push(access))
  const send = testClient(createHandler({ schema }))
  // oxfmt-ignore
  const rows: [request: Parameters<typeof send>[0], access: Access][] = [
    [{ target: '/graphql?query={now}' },   { method: 'GET', path: '/graphql', status: 200 }],
    [{ target: '/graphql?query={later}' }, { method: 'GET', path: '/graphql', status: 200 }],
    [{ json: { query: '{ now }' } },       { method: 'POST', path: '/graphql', status: 200 }],
    [{ json: { query: '{ later }' } },     { method: 'POST', path: '/graphql', status: 200 }],
    [{ json: { query: '{ never }' } },     { method: 'POST', path: '/graphql', status: 422 }],
    [{ method: 'PUT' },                    { method: 'PUT', path: '/graphql', status: 405 }],
  ]
  for (const [request] of rows) await send(request)
  const expected = rows.map(([, access]) => access)
  t.strictSame(seen, expected)
  stop()
  await send(rows[0]?.[0])
  t.equal(seen.length, rows.length, 'it has stopped')
})

void t.test('a line that is logged in a resolver has the id of its request', async (t) => {
  let count = 0
  const idOf = storeIds(() => `request-${(count += 1)}`)
  const lines: string[] = []
  const log = pino({ mixin: () => ({ id: idOf() }) }, { write: (line) => void lines.push(line) })
  const rootValue = { later: () => Promise.resolve().then(() => log.info('loading')) }
  const { ask } = clientOf({ schema: buildSchema('type Query { later: String }'), rootValue })
  await Promise.all([ask('{ later }'), ask('{ later }')])
  const ids = lines.map((line) => (JSON.parse(line) as { id: string }).id)
  t.strictSame(ids.toSorted(), ['request-1', 'request-2'])
  t.equal(idOf(), undefined)
})

void t.test('each phase is timed once, and a known document is only executed', async (t) => {
  const seen: Phase[] = []
  const stop = onPhase((phase, ms) => {
    t.ok(ms >= 0 && ms < 60_000, `${phase} took ${ms} ms`)
    seen.push(phase)
  })
  const send = testClient(createHandler({ schema }))
  for (const field of ['now', 'later', 'now']) await send({ json: { query: `{ ${field} }` } })
  await send({ json: { query: '{' } })
  stop()
  await send({ json: { query: '{ now }' } })
  const all = ['parse', 'validate', 'execute']
  t.strictSame(seen, [...all, ...all, 'execute', 'parse'])
})
