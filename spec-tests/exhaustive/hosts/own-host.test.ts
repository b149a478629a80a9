import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import t from 'tap'
import { root } from '../runtimes/runtime.js'

void t.test('the host of docs/hosts.md responds to lines', async (t) => {
  const page = readFileSync(`${root}docs/hosts.md`, 'utf8')
  const [, code = ''] = /\n## Write a host\n[^]*?```js\n([^]*?)```/.exec(page) ?? []
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: root,
    encoding: 'utf8',
    input: '{"query":"{ hello }"}\n{"query":"{ never }"}\nhello\n',
  })
  const [hello = '', ...refused] = printed.trimEnd().split('\n')
  t.equal(hello, '200 {"data":{"hello":"Hello"}}')
  t.match(refused, [/^422 .*GRAPHQL_VALIDATION_FAILED/, /^400 .*INVALID_JSON/])
})
