import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import t from 'tap'
import { root, startRuntime } from '../runtimes/runtime.js'
import { secret, signToken } from '../../guide/start-guide.js'

const read = (path: string): string => readFileSync(root + path, 'utf8')

/** The lines of a text that are not empty: between two examples of a page stands prose. */
function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}

/** The examples in TypeScript that follow a link to a file of the guide, by file. */
function quotationsOf(page: string): Map<string, string> {
  const quotations = new Map<string, string>()
  let file = ''
  const parts = /\]\(\.\.\/(examples\/guide\/[\w.-]+\.ts)\)|```ts\n([^]*?)```/g
  for (const [, link, code] of read(page).matchAll(parts)) {
    if (link !== undefined) file = link
    else quotations.set(file, (quotations.get(file) ?? '') + code)
  }
  return quotations
}

void t.test('docs/guide.md holds the whole application, word for word', async (t) => {
  const quotations = quotationsOf('docs/guide.md')
  const files = ['store', 'schema', 'app', 'server', 'app.test'].map(
    (name) => `examples/guide/${name}.ts`,
  )
  t.strictSame([...quotations.keys()], files)
  for (const [file, code] of quotations) t.strictSame(linesOf(code), linesOf(read(file)), file)
})

void t.test('docs/observability.md holds all of its file, in its order', async (t) => {
  const quotations = quotationsOf('docs/observability.md')
  t.strictSame([...quotations.keys()], ['examples/guide/observe.ts'])
  const rest = linesOf(quotations.get('examples/guide/observe.ts') ?? '')
  for (const line of linesOf(read('examples/guide/observe.ts'))) {
    const at = rest.indexOf(line)
    t.ok(at >= 0, line)
    rest.splice(0, at + 1)
  }
})

void t.test('the tests of the guide pass', async (t) => {
  const tests = `${root}dist/examples/guide/app.test.js`
  const env = { ...process.env, JWT_SECRET: secret, PORT: '0' }
  const { status, stdout } = spawnSync(process.execPath, [tests], { env, encoding: 'utf8' })
  t.equal(status, 0, stdout)
})

void t.test('the server of the guide answers, logs, and ends at SIGTERM', async (t) => {
  const lines: string[] = []
  const command = [process.execPath, `${root}dist/examples/guide/server.js`] as const
  const { url, stop } = await startRuntime(t, command, {
    env: { JWT_SECRET: secret },
    urlOf(line) {
      lines.push(line)
      const { address } = JSON.parse(line) as { readonly address?: { readonly port: number } }
      return address && `http://localhost:${address.port}/graphql`
    },
  })
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${await signToken()}`,
      'Content-Type': 'application/json',
      Connection: 'close',
    },
    body: '{ "query": "query Titles { tasks { title } }" }',
  })
  t.equal(response.status, 200)
  t.match(await response.json(), { data: { tasks: [{ title: 'Write the guide' }, Object] } })
  t.strictSame(await stop(), [0, null])
  t.match(JSON.parse(lines[1] ?? ''), { msg: 'graphql', operation: 'Titles', status: 200 })
})
