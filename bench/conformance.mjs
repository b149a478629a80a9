// How far does each server follow the specification? See docs/conformance.md.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { runConformance } from '../dist/src/conformance/run/run.js'
import { installPeers } from './install.mjs'
import { formatMatrix, formatPage } from './peers/format-matrix.mjs'
import { peers } from './peers/list.mjs'
import { drawPictures } from './pictures.mjs'
import { freePort } from './processes.mjs'

const startMs = 20_000
const page = new URL('../docs/reports/conformance.md', import.meta.url)

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    edition: { type: 'string' },
    suite: { type: 'string' },
  },
})
const unknown = names.filter((name) => !peers.some((peer) => peer.name === name))
if (unknown.length > 0) {
  const known = peers.map(({ name }) => name).join(', ')
  throw new TypeError(`${unknown.join(', ')}: expected one of ${known}.`)
}
const isPart = names.length > 0 || values.edition !== undefined || values.suite !== undefined
if (values.write && isPart) {
  throw new TypeError('--write: the page shows all peers in all editions and suites.')
}

const stopped = new AbortController()
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stopped.abort())
const aborted = once(stopped.signal, 'abort').then(() => stopped.signal.throwIfAborted())
aborted.catch(() => {})

tell('installing')
await installPeers()
const chosen = peers.filter(({ name }) => names.length === 0 || names.includes(name))
const results = []
for (const peer of chosen) {
  stopped.signal.throwIfAborted()
  results.push(await judge(peer))
}
const report = {
  date: new Date().toISOString().slice(0, 10),
  node: process.versions.node,
  peers: results,
}
if (values.write) {
  await writeFile(page, formatPage(report))
  await drawPictures('conformance.md')
}
process.stdout.write(
  values.json ? `${JSON.stringify(report, undefined, 2)}\n` : formatMatrix(report),
)

/** Tests one peer in every edition. A failure to start is a result, too. */
async function judge(peer) {
  const { name, language, command, suites } = peer
  const result = { name, language, command, suites, versions: [], runs: [] }
  let prepared
  try {
    prepared = await peer.prepare?.()
    result.versions = await peer.versions()
    const editions = peer.editions.filter((one) => (values.edition ?? one) === one)
    for (const edition of editions) {
      tell(`${name}, edition ${edition}`)
      result.runs.push(await judgeEdition(peer, prepared?.folder, edition))
    }
  } catch (error) {
    if (stopped.signal.aborted) throw error
    result.problem = error.message.split('\n')[0]
    tell(`${name}: ${result.problem}`)
  } finally {
    await prepared?.remove()
  }
  return result
}

async function judgeEdition(peer, folder, edition) {
  const [file, ...args] = peer.start(edition, folder)
  const suites = values.suite?.split(',') ?? peer.suites ?? []
  const port = await freePort()
  const child = spawn(file, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port) },
  })
  let complaint = ''
  child.stderr.on('data', (chunk) => (complaint = (complaint + chunk).slice(-2_000)))
  const failed = once(child, 'error').then(([error]) => Promise.reject(error))
  failed.catch(() => {})
  const closed = new Promise((resolve) => child.once('close', resolve))
  try {
    await Promise.race([failed, untilReady(port, child, () => complaint)])
    const url = `http://127.0.0.1:${port}/graphql`
    const { totals, cases, capabilities } = await Promise.race([
      failed,
      aborted,
      runConformance({ url, edition, suites, standard: true }),
    ])
    if (child.exitCode !== null) throw new Error(`It ended during the run: ${complaint}`)
    return { edition, totals, capabilities, cases: cases.map(hidePort) }
  } finally {
    child.kill('SIGKILL')
    await closed
  }

  /** The port differs between runs, and would make reports differ. */
  function hidePort(one) {
    return JSON.parse(JSON.stringify(one).replaceAll(`127.0.0.1:${port}`, '127.0.0.1:PORT'))
  }
}

async function untilReady(port, child, complaint) {
  const deadline = performance.now() + startMs
  while (performance.now() < deadline) {
    stopped.signal.throwIfAborted()
    if (child.exitCode !== null) throw new Error(`It ended at once: ${complaint()}`)
    if (await takesConnections(port)) return
    await wait(50)
  }
  throw new Error(`It does not listen after ${startMs / 1000} s. ${complaint()}`)
}

function takesConnections(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

function tell(text) {
  process.stderr.write(`${text}\n`)
}
