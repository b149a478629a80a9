import { createPrivateKey } from 'node:crypto'
import { once } from 'node:events'
import { connect, type TLSSocket } from 'node:tls'
import t from 'tap'
import { buildSchema } from 'graphql'
import { serve } from '../../../../../src/hosts/node/index.js'
import type { Certificate, Http2Options, TlsOptions } from '../../../../../src/hosts/node/index.js'
import { resolveTlsOptions } from '../../../../../src/hosts/node/connection/tls-options.js'
import { createWebSocketHost } from '../../../../../src/hosts/node/websocket/index.js'
import { createEndpoint } from '../../../../../src/index.js'
import { exchange, secured } from '../../secured.js'
import { certificate, renewed } from '../../../../hosts/start-node.js'

const encrypted = createPrivateKey(certificate.key).export({
  type: 'pkcs8',
  format: 'pem',
  cipher: 'aes-256-cbc',
  passphrase: 'secret',
})

// oxfmt-ignore
const wrong: readonly [name: string, tls: unknown, message: RegExp][] = [
  ['true',               true, /^serve: tls: expected an object such as \{ key, cert \}, or undefined, got true\.$/],
  ['nothing in it',      {},                                                     /^serve: tls\.key: missing; TLS needs a key and a certificate in PEM\.$/],
  ['no certificate',     { key: certificate.key },                               /^serve: tls\.cert: missing;/],
  ['no key',             { cert: certificate.cert },                             /^serve: tls\.key: missing;/],
  ['another key',        { ...certificate, key: renewed.key },                   /^serve: tls\.key: this key does not belong/],
  ['a certificate that is a key', { ...certificate, cert: certificate.key },     /^serve: tls\.cert: expected PEM with "-----BEGIN CERTIFICATE-----"/],
  ['a key that is a certificate', { ...certificate, key: certificate.cert },     /^serve: tls\.key: expected PEM with "-----BEGIN PRIVATE KEY-----"/],
  ['an encrypted key',   { ...certificate, key: encrypted }, /^serve: tls\.key: the key is encrypted and tls\.passphrase is missing or wrong\.$/],
  ['a wrong passphrase', { ...certificate, key: encrypted, passphrase: 'x' },    /tls\.passphrase is missing or wrong\.$/],
  ['ciphers that do not exist', { ...certificate, ciphers: 'none' },             /^serve: tls: OpenSSL refuses these options: /],
  ['no stream',          { ...certificate, http2: { maxConcurrentStreams: 0 } }, /^serve: tls\.http2\.maxConcurrentStreams: expected a whole number from 1 to/],
  ['no memory',          { ...certificate, http2: { maxSessionMemory: 0.5 } },   /^serve: tls\.http2\.maxSessionMemory: expected a whole number from 1 to/],
]

const schema = buildSchema('type Query { hi: String }')

for (const [name, tls, message] of wrong) {
  void t.test(`tls with ${name} is a TypeError at the start`, async (t) => {
    const started = serve({ schema, port: 0, tls: tls as TlsOptions })
    await t.rejects(started, { name: 'TypeError', message })
  })
}

void t.test('an encrypted key with its passphrase is served', async (t) => {
  const tls = { ...certificate, key: encrypted, passphrase: 'secret' }
  const { session, origin } = await secured(t, { tls })
  t.match(origin, /^https:/)
  const end = await exchange(session(), { ':path': '/livez' })
  t.same(end, { status: 200, body: '{"status":"ok"}', code: 0 })
})

void t.test('handshakeTimeout has its default if it is undefined', (t) => {
  const { options } = resolveTlsOptions({ ...certificate, handshakeTimeout: undefined }, 7)
  t.equal(options.handshakeTimeout, 7)
  t.end()
})

void t.test('websocket and sockets exclude each other', async (t) => {
  const sockets = createWebSocketHost(createEndpoint({ schema }))
  const started = serve({ schema, port: 0, websocket: true, sockets })
  await t.rejects(started, { name: 'TypeError', message: /^serve: websocket and sockets / })
})

void t.test('what tls inherits is checked, and served', async (t) => {
  class Tls {
    readonly key = certificate.key
    get cert() {
      return certificate.cert
    }
    get http2() {
      return Object.create({ maxConcurrentStreams: 7 }) as Http2Options
    }
  }
  const { session } = await secured(t, { tls: new Tls() })
  const client = session()
  await once(client, 'remoteSettings')
  t.equal(client.remoteSettings.maxConcurrentStreams, 7)
})

async function subjectAt(port: number): Promise<string> {
  const socket: TLSSocket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const { subject } = socket.getPeerCertificate()
  socket.destroy()
  return String(subject.CN)
}

void t.test('new connections see a new certificate, and old ones go on', async (t) => {
  const { session, port, setCertificate } = await secured(t)
  const old = session()
  t.equal((await exchange(old, { ':path': '/livez' })).status, 200)
  t.equal(await subjectAt(port), 'localhost')
  setCertificate(renewed)
  t.equal(await subjectAt(port), 'renewed')
  t.equal((await exchange(old, { ':path': '/livez' })).status, 200)
})

// oxfmt-ignore
const broken: readonly [name: string, given: Certificate][] = [
  ['a key of another certificate', { key: renewed.key }],
  ['a certificate of another key', { cert: renewed.cert }],
  ['half a certificate',           { ...renewed, cert: renewed.cert.slice(0, 200) }],
]

for (const [name, given] of broken) {
  void t.test(`${name} is refused, and the old certificate stays`, async (t) => {
    const { port, setCertificate } = await secured(t)
    t.throws(() => setCertificate(given), { name: 'TypeError', message: /^tls\.(?:key|cert): / })
    t.equal(await subjectAt(port), 'localhost')
    setCertificate(renewed)
    t.equal(await subjectAt(port), 'renewed')
  })
}

void t.test('a server without tls has no certificate to change', async (t) => {
  const { close, setCertificate } = await serve({ schema, port: 0 })
  t.throws(() => setCertificate(renewed), { name: 'TypeError', message: /was created without tls/ })
  await close()
})
