import t from 'tap'
import { jsonOf, valueOf } from '../../hosts/exchange.js'
import { host } from './hosted.js'

/** The lines of a request that name its host, and the code of the refusal by version (RFC 9112 section 3.2). */
// oxfmt-ignore
const rows: readonly [name: string, lines: string[], http11?: string, http10?: string][] = [
  ['one Host',                    ['Host: x']],
  ['one Host with a port',        ['Host: x:80']],
  ['an address of IPv6',          ['Host: [::1]:80']],
  ['an empty Host',               ['Host:']],
  ['no Host',                     [],                     'BAD_REQUEST'],
  ['two Host lines',              ['Host: x', 'Host: y'], 'INVALID_HOST', 'INVALID_HOST'],
  ['the same Host twice',         ['Host: x', 'host: x'], 'INVALID_HOST', 'INVALID_HOST'],
  ['a second Host that is empty', ['Host: x', 'Host:'],   'INVALID_HOST', 'INVALID_HOST'],
  ['two empty Host lines',        ['Host:', 'Host:'],     'INVALID_HOST', 'INVALID_HOST'],
  ['a list of hosts',             ['Host: x, y'],         'INVALID_HOST', 'INVALID_HOST'],
  ['a Host with a path',          ['Host: x/y'],          'INVALID_HOST', 'INVALID_HOST'],
  ['a Host with a user',          ['Host: a@x'],          'INVALID_HOST', 'INVALID_HOST'],
  ['a Host with an open bracket', ['Host: ['],            'INVALID_HOST', 'INVALID_HOST'],
]

for (const [name, lines, http11, http10] of rows) {
  void t.test(name, async (t) => {
    let served = 0
    const { connect, bugs } = await host(t, {}, (_incoming, outgoing) => {
      served += 1
      outgoing.end('served')
    })
    for (const [version, code] of Object.entries({ '1.1': http11, '1.0': http10 })) {
      for (const target of ['/', '/graphql', '/livez', '/readyz']) {
        const before = served
        const client = await connect()
        const head = [`GET ${target} HTTP/${version}`, ...lines, 'Connection: close', '', '']
        const answer = await client.ask(head.join('\r\n'))
        t.equal(answer.status, code === undefined ? 200 : 400, `${target} in ${version}`)
        t.equal(served - before, code === undefined && !target.endsWith('z') ? 1 : 0)
        if (answer === undefined || code === undefined) continue
        t.match(jsonOf(answer), { errors: [{ extensions: { code } }] })
        t.equal(valueOf(answer, 'x-content-type-options'), 'nosniff')
      }
    }
    t.same(bugs, [])
  })
}

const two = 'Host: x\r\nHost: x\r\n'
const body = 'Content-Type: application/json\r\nContent-Length: 2\r\n'

for (const [request, code] of /* oxfmt-ignore */ [
  [`OPTIONS * HTTP/1.1\r\n${two}`,                              'INVALID_HOST'],
  [`CONNECT x:1 HTTP/1.1\r\n${two}`,                            'INVALID_HOST'],
  [`POST / HTTP/1.1\r\n${two}${body}`,                          'INVALID_HOST'],
  [`POST / HTTP/1.1\r\n${two}Expect: 100-continue\r\n${body}`,  'INVALID_HOST'],
  [`POST / HTTP/1.1\r\n${two}Expect: x\r\n${body}`,             'INVALID_HOST'],
  [`POST / HTTP/1.1\r\nExpect: 100-continue\r\n${body}`,        'BAD_REQUEST'],
  [`POST / HTTP/1.1\r\nExpect: x\r\n${body}`,                   'BAD_REQUEST'],
] as const) {
  void t.test(`${JSON.stringify(request)} is refused: ${code}`, async (t) => {
    const client = await (await host(t)).connect()
    const answer = await client.ask(`${request}\r\n${request.includes('100-continue') ? '' : '{}'}`)
    t.equal(answer.status, 400)
    t.match(jsonOf(answer), { errors: [{ extensions: { code } }] })
  })
}
