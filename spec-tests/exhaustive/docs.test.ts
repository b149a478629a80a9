import t from 'tap'
import { examplesOf } from '../docs-examples.js'
import { readRoot } from '../../site/pages/read-root.js'
import { root, startRuntime } from './runtimes/runtime.js'

void t.test('the example of the README serves what it shows', async (t) => {
  const [code = ''] = examplesOf('README.md', 'js')
  const script = code.replace('serve({', 'serve({ port: 0,')
  const command = [process.execPath, '--input-type=module', '--eval', script] as const
  const { url } = await startRuntime(t, command, { cwd: root })
  const [, body = '', shown = ''] = /--json '([^']*)'\n(.*)\n/.exec(readRoot('README.md')) ?? []
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body })
  t.equal(await response.text(), shown)
})
