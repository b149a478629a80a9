import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import t from 'tap'
import { toCurl, toNetcat } from '../../../../src/conformance/wire/to-wire-request.js'
import type { WireRequest } from '../../../../src/conformance/wire/to-wire-request.js'
import { toTarget } from '../../../../src/conformance/wire/target.js'
import type { RawOperation } from '../../../../src/conformance/suite/fixture.js'
import { serveTcp } from '../odd-target.js'

const target = toTarget('http://localhost:4000/graphql')
const json = ['content-type', 'application/json'] as const

// oxfmt-ignore
const requests: readonly [title: string, request: Partial<WireRequest>, command: string | undefined][] = [
  ['a POST',                { headers: [json], body: Buffer.from('{"a":1}') },           `curl -i -X POST -g --path-as-is http://localhost:4000/graphql -H 'content-type: application/json' -H 'accept:' --data-binary '{"a":1}'`],
  ['no type, no accept',    { body: Buffer.from('') },                                   `curl -i -X POST -g --path-as-is http://localhost:4000/graphql -H 'accept:' -H 'content-type:' --data-binary ''`],
  ['a query',               { method: 'GET', target: '/graphql?query={a}' },             `curl -i -X GET -g --path-as-is 'http://localhost:4000/graphql?query={a}' -H 'accept:'`],
  ['HEAD',                  { method: 'HEAD' },                                          `curl -I -g --path-as-is http://localhost:4000/graphql -H 'accept:'`],
  ['the server as a whole', { method: 'OPTIONS', target: '*' },                          `curl -i -X OPTIONS --request-target '*' http://localhost:4000 -H 'accept:'`],
  ['an empty header',       { method: 'GET', headers: [['Accept', '']] },                `curl -i -X GET -g --path-as-is http://localhost:4000/graphql -H 'Accept;'`],
  ['quotes',                { headers: [['a', "it's"]], method: 'GET' },                 `curl -i -X GET -g --path-as-is http://localhost:4000/graphql -H 'a: it'\\''s' -H 'accept:'`],
  ['bytes',                 { headers: [json], body: Buffer.from('01ff27', 'hex') },     `curl -i -X POST -g --path-as-is http://localhost:4000/graphql -H 'content-type: application/json' -H 'accept:' --data-binary $'\\x01\\xff\\''`],
  ['a secret of the user',  { method: 'GET', headers: [['X-Api-Key', 's3cret']] },       `curl -i -X GET -g --path-as-is http://localhost:4000/graphql -H 'X-Api-Key: '"$X_API_KEY" -H 'accept:'`],
  ['too much',              { body: Buffer.alloc(5000, 'a') },                           undefined],
  ['NUL',                   { body: Buffer.from('a\0') },                                undefined],
]

for (const [title, own, command] of requests) {
  void t.test(`the command of curl for ${title}`, async (t) => {
    const request = { method: 'POST', target: '/graphql', headers: [], body: undefined, ...own }
    t.equal(toCurl(request, target, [['X-Api-Key', 's3cret']]), command)
  })
}

// oxfmt-ignore
const raws: readonly [title: string, operations: readonly RawOperation[], sent: string | undefined][] = [
  ['text',             [{ text: 'GET / HTTP/1.1\r\n\r\n' }],                        'GET / HTTP/1.1\r\n\r\n'],
  ['pieces',           [{ text: 'a' }, { sleep: 1 }, { text: 'b' }],                'ab'],
  ['hex',              [{ hex: '00 ff 25 27 5c' }],                                 '\u0000\u00ff%\'\\'],
  ['non-ASCII',        [{ text: 'ä' }],                                             '\u00c3\u00a4'],
  ['digits behind it', [{ hex: '0131' }],                                           '\u00011'],
  ['chunks',           [{ chunk: { text: 'abc' } }, { chunk: { hex: 'ff' } }, { chunk: 'end' }], '3\r\nabc\r\n1\r\n\u00ff\r\n0\r\n\r\n'],
  ['repeated text',    [{ repeat: { text: 'ab', times: 3 } }],                      'ababab'],
  ['waits',            [{ text: 'a' }, { awaitInterim: 10 }, { text: 'b' }, { awaitResponse: 10 }], 'ab'],
  ['a half-close',     [{ text: 'a' }, { halfClose: true }],                        'a'],
  ['too much',         [{ repeat: { text: 'a', times: 5000 } }],                    undefined],
  ['a reset',          [{ text: 'a' }, { reset: true }],                            undefined],
  ['nothing',          [],                                                          undefined],
]

for (const [title, operations, sent] of raws) {
  void t.test(`the command of nc for ${title} prints these bytes`, async (t) => {
    const command = toNetcat(operations, target, [])
    if (command === undefined || sent === undefined) return void t.equal(command, sent)
    t.match(command, / nc (?:-N )?localhost 4000$/)
    // Without the waits, and without the client.
    const script = command.replaceAll(/sleep [\d.]+/g, 'true').replace(/ \| nc .*$/, '')
    const { stdout } = spawnSync('sh', ['-c', script])
    t.equal(stdout.toString('latin1'), sent)
  })
}

void t.test('with TLS it is a command of openssl', async (t) => {
  const command = toNetcat([{ text: 'a' }], toTarget('https://example.com/'), [])
  t.equal(command, "(printf 'a'; sleep 2) | openssl s_client -quiet -connect example.com:443")
})

void t.test("the user's headers are variables, as with curl", async (t) => {
  const command = toNetcat([{ text: "X-Key: it's\r\nA: b" }], target, [['X-Key', "it's"]])
  t.match(command, String.raw`(printf 'X-Key: %s\r\nA: b' "$X_KEY"; sleep 2)`)
})

const noCurl = spawnSync('curl', ['--version']).status !== 0 && 'there is no curl'

void t.test('curl sends what the runner has sent', { skip: noCurl }, async (t) => {
  const heads: string[] = []
  const url = await serveTcp(t, (socket) => {
    socket.once('data', (bytes) => {
      heads.push(bytes.toString('latin1'))
      socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n')
    })
  })
  const request: WireRequest = {
    method: 'QUERY',
    target: '/a/../b?c={d}',
    headers: [['accept', "it's; q=1"]],
    body: Buffer.from('27ff0a', 'hex'),
  }
  const command = toCurl(request, toTarget(url), []) ?? ''
  await once(spawn('bash', ['-c', command], { stdio: 'ignore' }), 'close')
  const [head = ''] = heads
  t.match(head, /^QUERY \/a\/\.\.\/b\?c=\{d\} HTTP\/1\.1\r\n/)
  t.match(head, "accept: it's; q=1\r\n")
  t.notMatch(head, /content-type/i)
  t.ok(head.endsWith("\r\n\r\n'\u00ff\n"))
})
