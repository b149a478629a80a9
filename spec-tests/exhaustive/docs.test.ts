import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { examplesOf } from '../docs-examples.js'

void t.test('the example of the README serves', async (t) => {
  const [code = ''] = examplesOf('README.md', 'js')
  const child = spawn(
    process.execPath,
    ['--input-type=module', '--eval', code.replace('serve({', 'serve({ port: 0,')],
    { cwd: fileURLToPath(new URL('../../../', import.meta.url)) },
  )
  t.teardown(() => child.kill())
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string]
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: '{ hello(name: "you") }' }),
  })
  t.strictSame(await response.json(), { data: { hello: 'Hello you' } })
})
