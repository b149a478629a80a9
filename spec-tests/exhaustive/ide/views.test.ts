import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import type { ServeOptions } from '../../../src/hosts/node/index.js'
import { buildSchema } from '../../../src/index.js'
import { defer } from '../../base/defer.js'
import { sourceOf } from '../../streams/stream-test.js'
import { skip, type Tab } from '../clients/drive-browser.js'
import { findProgram } from '../clients/find-program.js'
import { choose, clickIn, openIde, run, untilItCan, withIde } from './drive-ide.js'

/** Doors that the stream `gated` waits at, one for each of its events. */
const doors = [defer(), defer()]

const schema = buildSchema(
  `type Query { hello(name: String = "you"): String }
   type Subscription { countdown: Int  gated: Int }`,
  {
    Query: { hello: (_: unknown, { name }: { name: string }) => `Hello ${name}` },
    Subscription: {
      countdown: { subscribe: () => sourceOf(...[2, 1, 0].map((countdown) => ({ countdown }))) },
      gated: { subscribe: passDoors },
    },
  },
)

async function* passDoors(): AsyncGenerator<object> {
  yield { gated: 0 }
  for (const [at, { promise }] of doors.entries()) {
    await promise
    yield { gated: at + 1 }
  }
}

/** What a view shows; times are #. */
async function show(tab: Tab, view: string): Promise<string> {
  await clickIn(tab, '.views', view)
  await tab.until(`document.querySelector('.view')?.ariaLabel === '${view}'`)
  const text = await tab.evaluate<string>(`document.querySelector('.view').innerText`)
  return text.replaceAll(/\+\d+ ms/g, '#')
}

async function runToTone(tab: Tab, tone: string): Promise<void> {
  await run(tab)
  await tab.until(`document.querySelector('.facts .${tone}')`)
  await untilItCan(tab, 'Execute')
}

// oxfmt-ignore
const shown: readonly [query: string, tone: string, transport: 'sse' | 'websocket', view: string, text: RegExp][] = [
  ['{ hello }',                  'good', 'sse',       'Headers',  /Response[^]*content-type\s+application\/graphql-response\+json[^]*Request[^]*accept\s+application\/graphql-response\+json/],
  ['{ hello }',                  'good', 'sse',       'Timeline', /# sent POST \/graphql\s+# head 200 OK\s+# body \d+ bytes/],
  ['{ hello }',                  'good', 'sse',       'Explain',  /does not contain the errors entry[^]*SC-4[^]*Access passed[^]*Execution responded/],
  ['{ nope }',                   'bad',  'sse',       'Explain',  /GRAPHQL_VALIDATION_FAILED[^]*SC-17[^]*Refused at the step “Document”[^]*Body passed[^]*Document refused[^]*Variables not reached[^]*Execution not reached/],
  ['{ hello',                    'bad',  'sse',       'Explain',  /GRAPHQL_PARSE_FAILED[^]*Document refused/],
  ['query Secret { hello }',     'bad',  'sse',       'Explain',  /UNAUTHENTICATED[^]*SC-20[^]*Content-Type passed[^]*Access refused\s+The request needs a valid credential[^]*Variables not known[^]*Execution not reached/],
  ['subscription { countdown }', 'good', 'sse',       'Timeline', /# head 200 OK\s+# next {"data":{"countdown":2}}\s+# next .*\s+# next .*\s+# complete/],
  ['subscription { countdown }', 'good', 'sse',       'Explain',  /SS-8[^]*Execution responded/],
  ['subscription { countdown }', 'good', 'websocket', 'Timeline', /# sent [^]*# connection_ack\s+# next .*"countdown":2.*\s+# next .*\s+# next .*\s+# complete/],
  ['subscription { countdown }', 'good', 'websocket', 'curl',     /^No HTTP request to repeat/],
  ['subscription { countdown }', 'good', 'websocket', 'Headers',  /None to show/],
]

const admit: ServeOptions['admit'] = ({ operation }) =>
  operation.name?.value === 'Secret' ? { kind: 'unauthenticated', challenge: 'Bearer' } : undefined

void t.test('the views of a response', { skip }, (t) =>
  withIde(t, { schema, admit }, async (tab, { url }) => {
    for (const [query, tone, transport, view, text] of shown) {
      await openIde(tab, url, query)
      const pressed = `document.querySelector('.views [aria-pressed=true]').innerText`
      t.equal(await tab.evaluate(pressed), 'Result')
      await choose(tab, 'subscriptions', transport)
      await runToTone(tab, tone)
      if (transport === 'websocket')
        await tab.until(`/complete/.test(document.querySelector('.facts').innerText)`)
      t.match(await show(tab, view), text, `${query}, ${view}`)
      await clickIn(tab, '.views', 'Result')
      t.equal(await tab.evaluate(`document.querySelector('.view')`), null)
    }
  }),
)

const curl = findProgram('curl')

void t.test('the command of curl gets the same result', { skip: skip || !curl }, (t) =>
  withIde(t, { schema }, async (tab, { url }) => {
    for (const method of ['POST', 'QUERY']) {
      const query = 'query ($name: String) { hello(name: $name) }'
      await openIde(tab, url, query, { name: `O'Neill "é"` })
      await choose(tab, 'queries', method)
      await runToTone(tab, 'good')
      const command = (await show(tab, 'curl')).replace(/^[^]*?(?=curl )/, '')
      const { stdout } = await promisify(execFile)('sh', ['-c', command])
      t.match(stdout, /^HTTP\/1\.1 200 /, command)
      t.match(stdout, String.raw`{"data":{"hello":"Hello O'Neill \"é\""}}`)
    }
  }),
)

void t.test('a stream is held, and its list cleared', { skip }, (t) =>
  withIde(t, { schema }, async (tab, { url }) => {
    const next = `[...document.querySelectorAll('.view li')].filter((li) => li.innerText.includes('next')).length`
    const hasResults = (count: number): Promise<void> =>
      tab.until(`/\\b${count} results?\\b/.test(document.querySelector('.facts').innerText)`)
    await openIde(tab, url, 'subscription { gated }')
    await run(tab)
    await hasResults(1)
    await show(tab, 'Timeline')
    await clickIn(tab, '.view', 'Pause')
    doors[0]?.resolve()
    await hasResults(2)
    await tab.until(`document.querySelector('.view').innerText.includes('Paused: 1 newer')`)
    t.equal(await tab.evaluate(next), 1)
    await clickIn(tab, '.view', 'Resume')
    await tab.until(`${next} === 2`)
    await clickIn(tab, '.view', 'Clear')
    await tab.until(`document.querySelectorAll('.view li').length === 0`)
    doors[1]?.resolve()
    await tab.until(`document.querySelectorAll('.view li').length === 2`)
    t.match(await show(tab, 'Timeline'), /^[^]*# next {"data":{"gated":2}}\s+# complete$/)
  }),
)
