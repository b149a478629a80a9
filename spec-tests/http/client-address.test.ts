import type { IncomingMessage } from 'node:http'
import t from 'tap'
import {
  createAddressReader,
  createClientReader,
  networkOf,
} from '../../src/http/client-address.js'

// oxfmt-ignore
const rows: readonly { name: string; socket?: string; forwarded?: readonly string[]; proxies?: number; address: string }[] = [
  { name: 'the socket',                                                                                                     address: '192.0.2.1' },
  { name: 'IPv4 in IPv6',           socket: '::ffff:192.0.2.7',                                                             address: '192.0.2.7' },
  { name: 'IPv4 in IPv6 in hex',    socket: '::ffff:c000:207',                                                              address: '192.0.2.7' },
  { name: 'IPv6 in its short form', socket: '2001:0DB8:0:0:0:0:0:1',                                                        address: '2001:db8::1' },
  { name: 'IPv6 with a zone',       socket: 'fe80::1%eth0',                                                                 address: 'fe80::1' },
  { name: 'no trust, no belief',                                     forwarded: ['198.51.100.1'],                           address: '192.0.2.1' },
  { name: 'one proxy',                                   proxies: 1, forwarded: ['198.51.100.1'],                           address: '198.51.100.1' },
  { name: 'what a client wrote stands further left',     proxies: 1, forwarded: ['203.0.113.9, 198.51.100.1'],              address: '198.51.100.1' },
  { name: 'two proxies',                                 proxies: 2, forwarded: ['203.0.113.9, 198.51.100.1, 192.0.2.9'],   address: '198.51.100.1' },
  { name: 'two lines are one list',                      proxies: 2, forwarded: ['203.0.113.9', '198.51.100.1, 192.0.2.9'], address: '198.51.100.1' },
  { name: 'fewer entries than proxies',                  proxies: 2, forwarded: ['203.0.113.9'],                            address: '192.0.2.1' },
  { name: 'no entry',                                    proxies: 1,                                                        address: '192.0.2.1' },
  { name: 'an empty entry',                              proxies: 1, forwarded: ['203.0.113.9, '],                          address: '192.0.2.1' },
  { name: 'a name',                                      proxies: 1, forwarded: ['unknown'],                                address: '192.0.2.1' },
  { name: 'garbage',                                     proxies: 1, forwarded: ['[[::1]:x'],                               address: '192.0.2.1' },
  { name: 'a very long one',                             proxies: 1, forwarded: [`${':'.repeat(15_500)}g`],                 address: '192.0.2.1' },
  { name: 'an address with a zone of 100 characters',    proxies: 1, forwarded: [`fe80::1%${'z'.repeat(100)}`],             address: '192.0.2.1' },
  { name: 'numbers too large',                           proxies: 1, forwarded: ['300.1.1.1'],                              address: '192.0.2.1' },
  { name: 'a port',                                      proxies: 1, forwarded: ['198.51.100.1:4711'],                      address: '198.51.100.1' },
  { name: 'IPv6',                                        proxies: 1, forwarded: ['2001:db8::1'],                            address: '2001:db8::1' },
  { name: 'IPv6 in brackets',                            proxies: 1, forwarded: ['[2001:db8::1]'],                          address: '2001:db8::1' },
  { name: 'IPv6 with a port',                            proxies: 1, forwarded: ['[2001:db8::1]:80'],                       address: '2001:db8::1' },
  { name: 'IPv4 in IPv6 behind a proxy',                 proxies: 1, forwarded: ['::ffff:192.0.2.7'],                       address: '192.0.2.7' },
]
for (const { name, socket = '192.0.2.1', forwarded = [], proxies = 0, address } of rows) {
  t.test(`${name}: ${address}`, async (t) => {
    const raw = { socket: { remoteAddress: socket } } as IncomingMessage
    const headers = forwarded.flatMap((line) => ['X-Forwarded-For', line])
    const read = createAddressReader(proxies)
    t.equal(read({ method: 'GET', target: '/', headers, raw }), address)
  })
}

t.test('without an address it is undefined', async (t) => {
  for (const raw of [{ socket: {} }, {}, undefined]) {
    t.equal(createAddressReader(0)({ method: 'GET', target: '/', headers: [], raw }), undefined)
  }
})

t.test('clients that have reset their connections count as one', async (t) => {
  const clientOf = (socket: object) => createClientReader(0)({ headers: [], raw: { socket } })
  t.equal(clientOf({ localAddress: '127.0.0.1' }), 'reset')
  t.equal(clientOf({ destroyed: true }), 'reset', 'once it has closed')
  t.equal(clientOf({ localAddress: '127.0.0.1', remoteAddress: '192.0.2.1' }), '192.0.2.1')
  t.equal(clientOf({}), undefined, 'a Unix socket has neither')
})

// oxfmt-ignore
const networks: [address: string, network: string][] = [
  ['192.0.2.1',            '192.0.2.1'],
  ['local',                'local'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::6',      '2001:db8:1:2::/64'],
  ['2001:db8::6',          '2001:db8:0:0::/64'],
  ['2001:db8::1:2:3:4:5',  '2001:db8:0:1::/64'],
  ['1::2:3:4:5:6:7',       '1:0:2:3::/64'],
  ['::3:4:5:6:7:8',        '0:0:3:4::/64'],
  ['::ffff:192.0.2.1',     '192.0.2.1'],
  ['::FFFF:c000:201',      '192.0.2.1'],
  ['fe80::1%eth0',         'fe80:0:0:0::/64'],
  ['::1',                  '0:0:0:0::/64'],
  ['::',                   '0:0:0:0::/64'],
]
for (const [address, network] of networks) {
  t.test(`${address} is limited as ${network}`, async (t) => t.equal(networkOf(address), network))
}
