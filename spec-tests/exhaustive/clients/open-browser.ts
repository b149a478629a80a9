import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const maxMs = 50_000
const maxGoodbyeMs = 5_000

/** Keeps a headless browser on the page until the answer is there, or says what the browser said. */
export async function whileBrowsing<Value>(
  browser: string,
  url: string,
  answer: Promise<Value>,
): Promise<Value> {
  const profile = await mkdtemp(join(tmpdir(), 'graphwire-browser-'))
  // A process group of its own, since the browser is many processes and all of them must end.
  const child = spawn(browser, [...browserFlags, `--user-data-dir=${profile}`, url], {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaint = ''
  child.stderr.on('data', (chunk) => (complaint = (complaint + String(chunk)).slice(-2_000)))
  const ended = once(child, 'close')
  const timer = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), maxMs)
  try {
    return await Promise.race([
      answer,
      ended.then(() => {
        throw new Error(`The browser ended without an answer: ${complaint}`)
      }),
    ])
  } finally {
    clearTimeout(timer)
    signalGroup(child.pid, 'SIGTERM')
    const force = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), maxGoodbyeMs)
    await ended.catch(() => {})
    clearTimeout(force)
    await rm(profile, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** What every browser of the tests is started with. */
export const browserFlags: readonly string[] = [
  '--headless',
  '--no-sandbox',
  // Those of the tests are signed by themselves.
  '--ignore-certificate-errors',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--no-proxy-server',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Ends a process and all of its children. */
export function signalGroup(id: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (id !== undefined) process.kill(-id, signal)
  } catch {
    // It has ended by itself.
  }
}
