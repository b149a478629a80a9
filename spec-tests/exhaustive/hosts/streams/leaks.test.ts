import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { unmeasuredEnvironment } from '../../process-environment.js'
import { createStreamedEndpoint } from '../../../hosts/streams/streamed-endpoint.js'
import type { StreamBody } from '../../../../src/index.js'

/** A process that writes a line for each line that it reads. */
function startProcess(t: Test, script: URL, ...words: readonly string[]) {
  const child = spawn(process.execPath, ['--expose-gc', fileURLToPath(script), ...words], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: unmeasuredEnvironment(),
  })
  t.teardown(() => child.kill())
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const read = async (): Promise<string> => String((await lines.next()).value)
  const ask = (line: string): Promise<string> => {
    child.stdin.write(`${line}\n`)
    return read()
  }
  return { read, ask }
}

void t.test('ten thousand streams leave nothing behind, however their clients leave', async (t) => {
  const server = startProcess(t, new URL('./leak-server.js', import.meta.url))
  const script = new URL('./leak-clients.js', import.meta.url)
  const clients = startProcess(t, script, await server.read())
  const measure = async (): Promise<{ heapUsed: number; made: number }> =>
    JSON.parse(await server.ask('')) as { heapUsed: number; made: number }
  // What is loaded and compiled at first is no leak.
  await clients.ask('30')
  const before = await measure()
  await clients.ask('50')
  const after = await measure()
  t.match(after, { made: before.made + 10_000, returning: 0, stuck: 0 })
  const growth = after.heapUsed / before.heapUsed - 1
  t.ok(growth < 0.05, `the heap has grown by ${(growth * 100).toFixed(1)} %`)
})

void t.test('ten thousand sources are returned in the tick of their leaving', async (t) => {
  const endpoint = createStreamedEndpoint()
  const target = '/graphql?query=subscription{pushed}'
  const flows = []
  for (let at = 0; at < 10_000; at += 1) {
    const head = { method: 'GET', target, headers: [], raw: undefined }
    const response = (await endpoint.handler(head)) as { readonly body: StreamBody }
    flows.push(response.body.open({ write: () => true, end() {}, cut() {} }))
  }
  t.equal(endpoint.open(), 10_000)
  t.equal(endpoint.stats().open, 10_000)
  for (const flow of flows) flow.gone()
  t.equal(endpoint.open(), 0)
  t.equal(endpoint.stats().open, 0)
})
