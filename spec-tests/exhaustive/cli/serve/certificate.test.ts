import { writeFileSync } from 'node:fs'
import { connect } from 'node:http2'
import { join } from 'node:path'
import t from 'tap'
import { http2Client } from '../../../hosts/http2-client.js'
import { jsonOf } from '../../../hosts/exchange.js'
import { certificate, renewed } from '../../../hosts/start-node.js'
import { run, start, ways, type Running } from '../binary.js'

const files = { 'cert.pem': certificate.cert, 'key.pem': certificate.key }

const encrypted = ['--tls-cert=cert.pem', '--tls-key=key.pem']

function startSecure(cwd: string, ...words: string[]): Running {
  const fixed = ['serve', '--standard', '--port=0', '--host=127.0.0.1', ...encrypted]
  return start([...fixed, ...words], { cwd })
}

/** Whose certificate a new connection gets. */
function subjectAt(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const session = connect(url, { rejectUnauthorized: false })
    session.on('error', reject)
    session.on('connect', (_session, socket) => {
      resolve('getPeerCertificate' in socket ? String(socket.getPeerCertificate().subject.CN) : '')
      session.close()
    })
  })
}

async function untilSubject(url: string, subject: string): Promise<void> {
  while ((await subjectAt(url)) !== subject);
}

for (const [how, workers] of ways) {
  void t.test(`${how} renews a changed certificate, and keeps it if that is broken`, async (t) => {
    const cwd = t.testdir(files)
    const write = (file: string, text: string): void => writeFileSync(join(cwd, file), text)
    const server = startSecure(cwd, ...workers)
    const url = await server.url()
    t.match(url, /^https:\/\/127\.0\.0\.1:\d+\/graphql$/)
    const client = http2Client(url, certificate.cert)
    t.same(jsonOf(await client.send({ query: '?query={counter}' })), { data: { counter: 0 } })

    write('cert.pem', renewed.cert)
    await server.line(/^key\.pem: this key does not belong to the certificate in cert\.pem\.$/)
    await server.line(/^still using the old certificate$/)
    t.equal(await subjectAt(url), 'localhost')
    write('key.pem', renewed.key)
    await server.line(/^renewed the certificate from cert\.pem$/)
    await untilSubject(url, 'renewed')

    // Before the next look at the files.
    for (const [file, text] of Object.entries(files)) write(file, text)
    server.child.kill('SIGHUP')
    await server.line(workers.length === 0 ? /^renewed the certificate/ : /^reloaded /)
    await untilSubject(url, 'localhost')
    client.destroy()
    const { code, stderr } = await server.stop()
    t.equal(code, 0)
    t.match(stderr, /^ {2}tls {12}HTTP\/2 and HTTP\/1\.1, certificate valid until 2120-01-01$/m)
  })
}

void t.test('without HTTP/2 a client that supports only HTTP/2 is rejected', async (t) => {
  const server = startSecure(t.testdir(files), '--no-http2')
  const url = await server.url()
  await t.rejects(subjectAt(url))
  t.match(await server.stop(), { code: 0, stderr: / tls {12}HTTP\/1\.1, certificate/ })
})

// oxfmt-ignore
const wrong: readonly [name: string, words: readonly string[], message: RegExp][] = [
  ['a file that is not there', ['--tls-cert=x.pem', '--tls-key=key.pem'],      /^x\.pem: no such file/m],
  ['a key as certificate',     ['--tls-cert=key.pem', '--tls-key=key.pem'],    /^key\.pem: expected PEM with "-----BEGIN CERTIFICATE-----"/m],
  ['a key of another',         ['--tls-cert=cert.pem', '--tls-key=other.pem'], /^other\.pem: this key does not belong to the certificate in cert\.pem\.$/m],
]

for (const [name, words, message] of wrong) {
  void t.test(`${name} ends with 3 and says why`, async (t) => {
    const cwd = t.testdir({ ...files, 'other.pem': renewed.key })
    const ended = await run(['serve', '--standard', '--port=0', ...words], { cwd })
    t.match(ended, { code: 3, stderr: message })
  })
}
