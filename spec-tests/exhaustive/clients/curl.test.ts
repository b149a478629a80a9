import { execFile } from 'node:child_process'
import t from 'tap'
import { failures } from './exchanges.js'
import { findProgram, programsAreRequired } from './find-program.js'
import { failureHeader, serveStandard } from './serve-standard.js'

const curl = findProgram('curl')
if (programsAreRequired) t.ok(curl, 'the package curl is installed')
const skip = curl === undefined && 'NO CURL HERE: install the package curl.'

function run(...words: readonly string[]) {
  return new Promise<{ readonly exit: unknown; readonly out: string }>((resolve) => {
    execFile(curl ?? '', ['--disable', '--noproxy', '*', '-s', ...words], (error, out) =>
      resolve({ exit: error?.code ?? 0, out }),
    )
  })
}

const json = ['-H', 'Content-Type: application/json']

/** A status, and the query or the words that lead to it. */
// oxfmt-ignore
const rows: readonly (readonly [status: number, query: string, words?: readonly string[]])[] = [
  [200, '{ counter }'],
  [294, '{ fail }'],
  [422, '{ noSuchField }'],
  [405, '', ['--get', '--data-urlencode', 'query=mutation { increment }']],
  [415, '', ['--data', '{"query":"{ counter }"}']], // The Content-Type that curl gives by itself.
  [413, '', [...json, '-H', 'Expect: 100-continue', '--data', 'x'.repeat(100_000)]],
  ...failures.map(([status]) => [status, '{ counter }'] as const),
]

void t.test('what a script sees of curl', { skip }, async (t) => {
  const { url } = await serveStandard(t, '2026-09')
  for (const [status, query, words = [...json, '-d', JSON.stringify({ query })]] of rows) {
    const fails = query === '' ? [] : ['-H', `${failureHeader}: ${status}`]
    const plain = await run('-w', '\n%{http_code}', ...words, ...fails, url)
    t.match(plain, { exit: 0, out: /^\{[^]*\n\d+$/ }, `${status}: the body, and exit code 0`)
    t.equal(plain.out.split('\n').at(-1), String(status))
    const { exit, out } = await run('--fail', ...words, ...fails, url)
    t.ok(status < 300 ? exit === 0 && out !== '' : exit === 22 && out === '', `${status}, --fail`)
  }
  const { out } = await run('--get', '--data-urlencode', 'query={ counter }', url)
  t.equal(out, '{"data":{"counter":0}}', 'the mutation by GET has not run')
})
