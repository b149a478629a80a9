import { execFile } from 'node:child_process'
import t from 'tap'
import { expectedResponse, failures, mutation, queries } from './exchanges.js'
import { findProgram, programsAreRequired } from './find-program.js'
import { editionNames, failureHeader, serveStandard } from './serve-standard.js'

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

for (const edition of editionNames) {
  void t.test(`curl gets responses of every kind, edition ${edition}`, { skip }, async (t) => {
    const { url } = await serveStandard(t, edition)
    for (const exchange of [...queries, mutation]) {
      const { source: query, variables = {}, name, data, errors } = exchange
      const get = ['--get', '--data-urlencode', `query=${query}`]
      get.push('--data-urlencode', `variables=${JSON.stringify(variables)}`)
      const body = [...json, '--data-binary', JSON.stringify({ query, variables })]
      for (const words of exchange === mutation ? [body] : [body, get, ['-X', 'QUERY', ...body]]) {
        const { out } = await run('-w', '\n%{http_code} %{content_type}', ...words, url)
        const [text = '', facts] = out.split(/\n(?=\d{3} )/)
        const [status, type] = expectedResponse(exchange, edition, 'either')
        t.equal(facts, `${status} ${type}; charset=utf-8`, `${name} by ${words[0]} ${words[1]}`)
        const response = JSON.parse(text) as { data?: unknown; errors?: unknown[] }
        t.strictSame(response.data, data)
        t.equal(response.errors?.length ?? 0, errors)
      }
    }
  })
}

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
