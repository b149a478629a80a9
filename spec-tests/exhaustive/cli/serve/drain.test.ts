import t from 'tap'
import { ask } from '../binary.js'
import { gateFiles, many, pidOf, startBusyClient, startGated, untilClosed } from '../gate.js'

for (const words of [[], ['--workers=1'], ['--workers=2']]) {
  const name = ['serve', ...words].join(' ')

  void t.test(`${name} answers all that has begun when SIGTERM comes`, async (t) => {
    const { server, url, waiting, open } = await startGated(t.testdir(gateFiles), ...words)
    const answers = many(200, () => ask(url, '{ wait }'))
    await waiting(200)
    const clients = many(100, () => startBusyClient(url, 'close'))
    await Promise.all(clients.map(({ started }) => started))
    server.child.kill('SIGTERM')
    await untilClosed(url)
    await Promise.all(clients.map(({ done }) => done))
    open()
    for (const answer of await Promise.all(answers)) {
      t.match(answer, { status: 200, body: '{"data":{"wait":true}}' })
    }
    const { code, stderr } = await server.ended
    t.equal(code, 0)
    const [, finished] = /\nstopped: (\d+) requests finished, 0 cut$/.exec(stderr) ?? []
    t.ok(Number(finished) >= 200, `${finished} requests finished`)
  })

  void t.test(`${name} cuts what does not end, and ends with 5`, async (t) => {
    const cwd = t.testdir(gateFiles)
    const { server, url, waiting } = await startGated(cwd, ...words, '--deadline=300')
    const lost = many(3, () => ask(url, '{ never }').catch(() => 'lost'))
    await waiting(3)
    t.match(await server.stop(), { code: 5, stderr: /\nstopped: 0 requests finished, 3 cut$/ })
    t.same(await Promise.all(lost), ['lost', 'lost', 'lost'])
  })

  void t.test(`${name} is not ready while it waits to drain, but serves`, async (t) => {
    const cwd = t.testdir(gateFiles)
    const longer = ['--drain-delay=600000', '--deadline=1000000', '--ready-path=/ready']
    const { server, url } = await startGated(cwd, ...words, ...longer)
    const health = (path: string) => get(new URL(path, url).href)
    t.equal(await health('/ready'), 200)
    server.child.kill('SIGTERM')
    while ((await health('/ready')) === 200) await health('/livez')
    t.equal(await health('/ready'), 503)
    t.equal(await health('/livez'), 200)
    t.type(await pidOf(url), 'number')
    server.child.kill('SIGTERM')
    t.match(await server.ended, { code: 130 })
  })
}

// oxfmt-ignore
const signals: readonly [signals: readonly NodeJS.Signals[], words: readonly string[]][] = [
  [['SIGINT'],           []],
  [['SIGHUP'],           []],
  [['SIGINT'],           ['--workers=2']],
  [['SIGTERM'],          ['--drain-delay=50']],
  [['SIGTERM'],          ['--drain-delay=50', '--workers=2']],
  // A Ctrl-C that npm passes on counts once.
  [['SIGINT', 'SIGINT'], []],
]

for (const [sent, words] of signals) {
  void t.test(`${sent.join()} to serve ${words.join(' ')} lets a request end`, async (t) => {
    const { server, url, waiting, open } = await startGated(t.testdir(gateFiles), ...words)
    const answer = ask(url, '{ wait }')
    await waiting(1)
    for (const signal of sent) server.child.kill(signal)
    await untilClosed(url)
    open()
    t.match(await answer, { status: 200 })
    // A worker may have answered before it hears that it is to drain.
    t.match(await server.ended, { code: 0, stderr: /\nstopped: [01] requests? finished, 0 cut$/ })
  })
}

void t.test('a second signal ends at once, with 130', async (t) => {
  const { server, url, waiting } = await startGated(t.testdir(gateFiles))
  const lost = ask(url, '{ never }').catch(() => 'lost')
  await waiting(1)
  server.child.kill('SIGTERM')
  await untilClosed(url)
  server.child.kill('SIGTERM')
  t.match(await server.ended, { code: 130 })
  t.equal(await lost, 'lost')
})

async function get(url: string): Promise<number> {
  const response = await fetch(url, { headers: { Connection: 'close' } })
  await response.text()
  return response.status
}
