import t from 'tap'
import { rawClient } from '../../hosts/raw-client.js'
import { start } from '../binary.js'

t.setTimeout(300_000)

/** Every page that the binary serves, and what it answers. */
// oxfmt-ignore
const pages: readonly [request: string, status: number][] = [
  ['GET /graphql?query={__typename}', 200],
  ['OPTIONS /graphql',                204],
  ['GET /',                           404],
  ['GET /metrics',                    200],
  ['HEAD /metrics',                   200],
  ['DELETE /metrics',                 405],
  ['GET /livez',                      200],
  ['GET /readyz',                     200],
  ['DELETE /readyz',                  405],
]

for (const workers of [[], ['--workers=1']]) {
  void t.test(['serve', ...workers].join(' '), async (t) => {
    const server = start(['serve', '--standard', '--port=0', '--metrics=/metrics', ...workers])
    const port = Number(new URL(await server.url()).port)
    for (const [request, status] of pages) {
      for (const [lines, expected] of [
        [['Host: x'], status],
        [['Host: x', 'Host: x'], 400],
        [['Host: x/y'], 400],
        [[], 400],
      ] as const) {
        const client = await rawClient(port)
        client.write([`${request} HTTP/1.1`, ...lines, 'Connection: close', '', ''].join('\r\n'))
        const name = `${request} with ${lines.length === 0 ? 'no Host' : lines.join(' and ')}`
        // A client of HEAD knows the end by the connection.
        const [, found, head = ''] =
          /^HTTP\/1\.1 (\d+) (.*?)\r\n\r\n/s.exec(await client.ended()) ?? []
        t.equal(found, String(expected), name)
        t.match(head, /\r\nX-Content-Type-Options: nosniff\r\n/, `${name} is not sniffed`)
      }
    }
    await server.stop()
  })
}
