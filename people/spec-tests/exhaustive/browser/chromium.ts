import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { until } from '../service/started.js'

/** A tab of a headless browser, and what it has noticed. */
export type Tab = Awaited<ReturnType<typeof openTab>>

const program = ['chromium', 'chromium-browser', 'google-chrome'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
)

/** Why tests in a browser are skipped; false if a browser is available or required. */
export const skip: string | false =
  program === undefined && !process.env['GRAPHWIRE_REQUIRE_SERVICES']
    ? 'NO BROWSER HERE: install the package chromium to see the pages in it.'
    : false

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** How long a page may take, in milliseconds, on a busy machine. */
const maxWait = 40_000

// The protocol defines the shape of messages.
// oxlint-disable-next-line typescript/no-explicit-any
type Params = any

/** Opens an empty tab in a browser of its own, which ends with the test. */
export async function openTab(t: Test) {
  const listeners = new Map<string, (params: Params) => void>()
  const call = await startBrowser(t, (method, params) => listeners.get(method)?.(params))
  const { targetId } = await call('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await call('Target.attachToTarget', { targetId, flatten: true })
  const tell = (method: string, params: Params = {}): Promise<Params> =>
    call(method, params, sessionId)

  const requested: string[] = []
  const complaints: string[] = []
  listeners.set('Network.requestWillBeSent', ({ request }) => requested.push(request.url))
  listeners.set('Log.entryAdded', ({ entry }) => {
    if (entry.level === 'error') complaints.push(`${entry.text} ${entry.url ?? ''}`)
  })
  listeners.set('Runtime.exceptionThrown', ({ exceptionDetails: { text, exception } }) =>
    complaints.push(`${text} ${exception?.description ?? ''}`),
  )
  listeners.set('Runtime.consoleAPICalled', ({ type, args }) => {
    if (type === 'error') complaints.push(JSON.stringify(args))
  })
  listeners.set('Audits.issueAdded', ({ issue: { code, details } }) => {
    if (code === 'ContentSecurityPolicyIssue') complaints.push(JSON.stringify(details))
  })
  for (const domain of ['Page', 'Network', 'Log', 'Runtime', 'Audits']) {
    await tell(`${domain}.enable`)
  }

  const evaluate = async <Value>(expression: string): Promise<Value> => {
    const options = { expression, awaitPromise: true, returnByValue: true }
    const { result, exceptionDetails } = await tell('Runtime.evaluate', options)
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails))
    return result.value
  }
  const untilTrue = async (expression: string): Promise<void> => {
    const end = performance.now() + maxWait
    await until(async () => {
      // During a navigation no page can evaluate it.
      if (await evaluate(expression).then(Boolean, () => false)) return true
      if (performance.now() < end) return false
      throw new Error(`In vain: ${expression}\n${complaints.join('\n')}`)
    })
  }
  return {
    requested,
    complaints,
    evaluate,
    until: untilTrue,
    async open(url: string) {
      await tell('Page.navigate', { url })
      await untilTrue(`location.href.startsWith(${JSON.stringify(url.split('#')[0])})`)
      await untilTrue(`document.readyState === 'complete'`)
    },
    async setScheme(value: 'light' | 'dark') {
      const features = [{ name: 'prefers-color-scheme', value }]
      await tell('Emulation.setEmulatedMedia', { features })
    },
    async setWidth(width: number) {
      const size = { width, height: 900, deviceScaleFactor: 1, mobile: false }
      await tell('Emulation.setDeviceMetricsOverride', size)
    },
    /** What axe-core finds wrong with the page as it is. */
    async violations(): Promise<readonly string[]> {
      await evaluate(`${axe}; undefined`)
      return evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
        violations.flatMap(({ id, nodes }) =>
          nodes.map(({ target, failureSummary }) => [id, ...target.flat(), failureSummary].join(' ')),
        ))`)
    },
  }
}

type Call = (method: string, params?: Params, sessionId?: string) => Promise<Params>

/** Messages go through pipes, so that no port is open, and end with NUL. */
async function startBrowser(
  t: Test,
  onEvent: (method: string, params: Params) => void,
): Promise<Call> {
  if (program === undefined) throw new Error('A browser is required here: install chromium.')
  const profile = mkdtempSync(join(tmpdir(), 'people-browser-'))
  // A process group of its own, since the browser is many processes and all of them must end.
  const child = spawn(program, [...flags, `--user-data-dir=${profile}`], {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  const lost = ended.then(() => ({ error: { message: 'The browser has ended.' } }) as Params)
  const end = (): void => endGroup(child.pid)
  process.once('exit', end)
  t.teardown(async () => {
    end()
    await ended
    process.off('exit', end)
    rmSync(profile, { recursive: true, force: true, maxRetries: 10 })
  })
  const toBrowser = child.stdio[3] as Writable
  const fromBrowser = child.stdio[4] as Readable
  toBrowser.on('error', () => {}) // it has ended
  const waiting = new Map<number, (message: Params) => void>()
  let last = 0
  let rest = ''
  fromBrowser.setEncoding('utf8').on('data', (piece: string) => {
    const messages = (rest + piece).split('\0')
    rest = messages.pop() ?? ''
    for (const text of messages) {
      const message: Params = JSON.parse(text)
      if (message.id === undefined) onEvent(message.method, message.params)
      else waiting.get(message.id)?.(message)
    }
  })
  return async (method, params = {}, sessionId) => {
    last += 1
    const id = last
    const answered = new Promise<Params>((resolve) => waiting.set(id, resolve))
    toBrowser.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
    const { result, error } = await Promise.race([answered, lost])
    waiting.delete(id)
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result
  }
}

const flags = `--headless --remote-debugging-pipe --no-sandbox --disable-gpu --disable-dev-shm-usage
  --no-first-run --no-proxy-server --disable-background-networking --disable-component-update
  --disable-sync`.split(/\s+/)

function endGroup(id: number | undefined): void {
  try {
    if (id !== undefined) process.kill(-id, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
