import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import t from 'tap'
import { listen } from '../../../hosts/start-node.js'
import { ask, start, ways, type Running } from '../binary.js'

const sdl = 'type Query { word: String }'

function serve(cwd: string, words: readonly string[], env = {}): Running {
  return start(['serve', ...words, '--port=0', '--host=127.0.0.1'], { cwd, env })
}

function moduleWith(onClose: string): { readonly 'a.mjs': string } {
  return {
    'a.mjs': `
      import { buildSchema } from 'graphql'
      import { writeSync } from 'node:fs'
      export const schema = buildSchema('${sdl}')
      export const onClose = ${onClose}`,
  }
}

const close = '() => { writeSync(2, "closed\\n") ; done() }'
const twice = `(done) => setTimeout(() => setTimeout(${close}, 20).unref(), 20)`

/** What each process prints, and the last lines. */
// oxfmt-ignore
const closings: readonly [what: string, onClose: string, printed: RegExp, end: RegExp][] = [
  ['is waited for', `() => new Promise(${twice})`, /^closed$/gm, /^closed\nstopped: /m],
  ['that fails is reported', 'async () => { throw new Error("no luck") }',
    /^onClose: Error: no luck\n +at .*a\.mjs:5:/gm, /\nstopped: /],
  ['that hangs ends at the deadline', '() => new Promise(() => {})',
    /^onClose: Error: not finished after \d+ ms$/gm, /\nstopped: 0 requests finished, 0 cut$/],
]
for (const [how, workers] of ways) {
  for (const [what, onClose, printed, end] of closings) {
    void t.test(`${how} a.mjs: an onClose ${what}`, async (t) => {
      const deadline = what.includes('hangs') ? ['--deadline=300'] : []
      const server = serve(t.testdir(moduleWith(onClose)), ['a.mjs', ...deadline, ...workers])
      await server.url()
      const { code, stderr } = await server.stop()
      t.equal(code, 0)
      t.equal(stderr.match(printed)?.length, workers.length === 0 ? 1 : 2)
      t.match(stderr, end)
    })
  }
}

void t.test('the old module is closed once workers with the new one serve', async (t) => {
  const cwd = t.testdir(moduleWith('() => console.error("closed")'))
  const server = serve(cwd, ['a.mjs', '--workers=1'])
  await server.url()
  server.child.kill('SIGHUP')
  await server.line(/^reloaded /)
  t.match(await server.stop(), { code: 0, stderr: /closed[^]*closed\nstopped: / })
})

/** As docs/observability.md says, with a tracer provider instead of NodeSDK, which is not installed here. */
const traced = {
  'a.graphql': sdl,
  'resolvers.mjs': `export { onClose } from './otel.mjs'
    export const resolvers = { Query: { word: () => 'a' } }`,
  'otel.mjs': `
    import { instrument } from '@graphwire/otel'
    import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
    const exporter = {
      export(spans, done) {
        const body = JSON.stringify(spans.map(({ name }) => name))
        fetch(process.env.COLLECTOR, { method: 'POST', body }).then(() => done({ code: 0 }))
      },
      async shutdown() {},
    }
    const sdk = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] })
    instrument({ tracer: sdk.getTracer('a') })
    export const onClose = () => sdk.shutdown()`,
}

void t.test('serve --workers=2 exports its spans on SIGHUP and SIGTERM', async (t) => {
  const names: string[] = []
  const collector = createServer(async (request, response) => {
    names.push(...((await json(request)) as string[]))
    response.end()
  })
  const port = await listen(collector)
  t.teardown(() => collector.close())
  const env = { COLLECTOR: `http://127.0.0.1:${port}`, NODE_OPTIONS: '--import ./otel.mjs' }
  const words = ['a.graphql', '--resolvers=resolvers.mjs', '--workers=2']
  const server = serve(t.testdir(traced), words, env)
  const url = await server.url()
  const askThrice = async (): Promise<void> => {
    for (let sent = 0; sent < 3; sent++) t.match(await ask(url, '{ word }'), { status: 200 })
  }
  await askThrice()
  server.child.kill('SIGHUP')
  await server.line(/^reloaded /)
  await askThrice()
  t.match(await server.stop(), { code: 0 })
  t.equal(names.filter((one) => one === 'POST /graphql').length, 6)
})
