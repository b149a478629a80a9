import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { examplesOf } from '../docs-examples.js'
import { readRoot } from '../site/read-root.js'

void t.test('the example of the README serves what it shows', async (t) => {
  const [code = ''] = examplesOf('README.md', 'js')
  const child = spawn(
    process.execPath,
    ['--input-type=module', '--eval', code.replace('serve({', 'serve({ port: 0,')],
    { cwd: fileURLToPath(new URL('../../../', import.meta.url)) },
  )
  t.teardown(() => child.kill())
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string]
  const [, body = '', shown = ''] = /--json '([^']*)'\n(.*)\n/.exec(readRoot('README.md')) ?? []
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  })
  t.equal(await response.text(), shown)
})
