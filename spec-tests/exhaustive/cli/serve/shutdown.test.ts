import { request } from 'node:http'
import t from 'tap'
import { ask, start } from '../binary.js'

t.setTimeout(300_000)

// oxfmt-ignore
const cases = [
  ['SIGTERM', []],
  ['SIGINT',  []],
  ['SIGHUP',  []],
  ['SIGTERM', ['--workers=2']],
  ['SIGINT',  ['--workers=2']],
] as const

for (const [signal, workers] of cases) {
  void t.test(`${signal} to ${['serve', ...workers].join(' ')} lets a request end`, async (t) => {
    const server = start(['serve', '--standard', '--port=0', ...workers])
    const url = await server.url()
    const answer = slowRequest(url)
    await answer.sent
    server.child.kill(signal)
    t.match(await answer.body, '{"data":{"slow":"500"}}')
    t.equal((await server.ended).code, 0)
  })
}

void t.test('a Ctrl-C that npm passes on counts once', async (t) => {
  const server = start(['serve', '--standard', '--port=0'])
  const answer = slowRequest(await server.url())
  await answer.sent
  server.child.kill('SIGINT')
  server.child.kill('SIGINT')
  t.match(await answer.body, '{"data":{"slow":"500"}}')
  t.equal((await server.ended).code, 0)
})

void t.test('a second signal ends at once, with 130', async (t) => {
  const server = start(['serve', 'waits.mjs', '--port=0'], {
    cwd: t.testdir({
      'waits.mjs': `
        import { buildSchema } from 'graphql'
        process.on('SIGTERM', () => console.error('told'))
        export default {
          schema: buildSchema('type Query { wait: String }'),
          rootValue: { wait: () => new Promise(() => console.error('waiting')) },
        }`,
    }),
  })
  const lost = ask(await server.url(), '{ wait }').catch(() => 'lost')
  await server.line(/^waiting$/)
  server.child.kill('SIGTERM')
  await server.line(/^told$/)
  server.child.kill('SIGTERM')
  t.equal((await server.ended).code, 130)
  t.equal(await lost, 'lost')
})

/** A request that the server has begun to answer when `sent` resolves: it sent 100-continue. */
function slowRequest(url: string): { sent: Promise<void>; body: Promise<string> } {
  const headers = { 'Content-Type': 'application/json', Expect: '100-continue' }
  const outgoing = request(url, { method: 'POST', agent: false, headers })
  const sent = new Promise<void>((resolve) => outgoing.once('continue', resolve))
  const body = new Promise<string>((resolve, reject) => {
    outgoing.on('error', reject)
    outgoing.on('response', (incoming) => {
      let text = ''
      incoming.setEncoding('utf8').on('data', (part: string) => (text += part))
      incoming.on('end', () => resolve(text))
    })
  })
  outgoing.flushHeaders()
  void sent.then(() => outgoing.end('{"query":"{ slow(ms: 500) }"}'))
  return { sent, body }
}
