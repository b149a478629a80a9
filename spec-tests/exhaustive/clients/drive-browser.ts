import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import axe from 'axe-core'
import { findProgram, programsAreRequired } from './find-program.js'

const browser = findProgram('chromium', 'chromium-browser', 'google-chrome')

/** Why tests in a browser are skipped; false where there is one, and where it is required. */
export const skip: string | false =
  browser === undefined && !programsAreRequired && 'NO BROWSER HERE: install the package chromium.'

interface TabLog {
  /** The URLs of all requests, those of workers and pages included. */
  readonly requests: string[]
  /** Errors and warnings of the console, exceptions, and breaches of the policy. */
  readonly faults: string[]
  /** What the console says of requests that failed, or whose status is that of an error. */
  readonly failedRequests: string[]
}

export interface Tab {
  readonly log: TabLog
  open(url: string): Promise<void>
  /** The value of an expression in the page, which may be a promise. */
  evaluate<Value>(expression: string): Promise<Value>
  /** Waits until an expression in the page is true, during a navigation too. */
  until(expression: string): Promise<void>
  /** Types into what has the focus. */
  type(text: string): Promise<void>
  /** Presses a key, such as Tab, or Enter together with Control. */
  press(key: string, modifier?: 'Control'): Promise<void>
  resize(width: number, height: number): Promise<void>
  prefer(scheme: 'light' | 'dark'): Promise<void>
  picture(file: string): Promise<void>
  /** What axe-core finds wrong with the page as it is, in a line each. */
  violations(): Promise<readonly string[]>
}

const usualMaxMs = 60_000
const maxWaitMs = 40_000

/** The certificates of the tests are signed by themselves. */
const browserFlags =
  '--headless --no-sandbox --ignore-certificate-errors --disable-gpu --disable-quic --disable-dev-shm-usage --no-first-run ' +
  '--no-proxy-server --disable-background-networking --disable-component-update --disable-sync'

/** Opens a headless browser with one tab for as long as the work takes. Speaks CDP over a pipe. */
export async function withTab<Value>(
  work: (tab: Tab) => Promise<Value>,
  maxMs: number = usualMaxMs,
): Promise<Value> {
  if (browser === undefined) throw new Error('A browser is required here: install chromium.')
  const profile = await mkdtemp(join(tmpdir(), 'graphwire-browser-'))
  const flags = [
    ...browserFlags.split(' '),
    `--user-data-dir=${profile}`,
    '--remote-debugging-pipe',
  ]
  const child = spawn(browser, [...flags, 'about:blank'], {
    // A process group of its own, since the browser is many processes and all of them must end.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  const timer = setTimeout(() => killGroup(child.pid), maxMs)
  try {
    const wire = new Wire(child.stdio[3] as Writable, child.stdio[4] as Readable)
    void ended.then(() => wire.end())
    return await work(await createTab(wire))
  } finally {
    clearTimeout(timer)
    killGroup(child.pid)
    await ended
    await rm(profile, { recursive: true, force: true, maxRetries: 10 })
  }
}

function killGroup(id: number | undefined): void {
  try {
    if (id !== undefined) process.kill(-id, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

/** What `run` of a script of this folder gives in a page of the browser, for a plan in JSON. */
export function runInPage<Value>(url: string, script: string, plan: string): Promise<Value> {
  const file = new URL(`../../../../spec-tests/exhaustive/clients/${script}`, import.meta.url)
  return withTab(async (tab) => {
    await tab.open(url)
    return tab.evaluate<Value>(`${await readFile(file, 'utf8')}; run(${plan})`)
  })
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly [name: string]: unknown }
  readonly result?: { readonly [name: string]: unknown }
  readonly error?: { readonly message: string }
}

type Result = NonNullable<Message['result']>

/** Commands and events of the browser; messages end in NUL. */
class Wire {
  readonly #out: Writable
  readonly #waiting = new Map<number, (message: Message) => void>()
  #newest = 0
  onEvent: (method: string, params: Result) => void = () => {}

  constructor(out: Writable, incoming: Readable) {
    this.#out = out
    out.on('error', () => {})
    incoming.on('error', () => {})
    let text = ''
    incoming.setEncoding('utf8').on('data', (chunk: string) => {
      const messages = (text + chunk).split('\0')
      text = messages.pop() ?? ''
      for (const message of messages) this.#take(JSON.parse(message) as Message)
    })
  }

  #take(message: Message): void {
    const { id, method, params = {} } = message
    if (id === undefined) return this.onEvent(method ?? '', params)
    this.#waiting.get(id)?.(message)
    this.#waiting.delete(id)
  }

  end(): void {
    const error = { message: 'the browser has ended' }
    for (const id of this.#waiting.keys()) this.#take({ id, error })
  }

  async send(method: string, params: object = {}, sessionId?: string): Promise<Result> {
    const id = ++this.#newest
    const answer = new Promise<Message>((resolve) => this.#waiting.set(id, resolve))
    this.#out.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
    const { result = {}, error } = await answer
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result
  }
}

async function createTab(wire: Wire): Promise<Tab> {
  const { targetId } = await wire.send('Target.createTarget', { url: 'about:blank' })
  const attached = await wire.send('Target.attachToTarget', { targetId, flatten: true })
  const session = attached['sessionId'] as string
  const send = (method: string, params?: object): Promise<Result> =>
    wire.send(method, params, session)
  const log: TabLog = { requests: [], faults: [], failedRequests: [] }
  wire.onEvent = (method, params) => record(log, method, params)
  for (const domain of ['Page', 'Runtime', 'Network', 'Log', 'Audits'])
    await send(`${domain}.enable`)

  async function evaluate<Value>(expression: string): Promise<Value> {
    const options = { expression, awaitPromise: true, returnByValue: true }
    const { result, exceptionDetails } = await send('Runtime.evaluate', options)
    if (exceptionDetails !== undefined) {
      throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`)
    }
    return (result as { readonly value: Value }).value
  }

  return {
    log,
    evaluate,
    async open(url) {
      await send('Page.navigate', { url })
      await evaluate(`new Promise((done) => document.readyState === 'complete'
        ? done() : addEventListener('load', () => done()))`)
    },
    async until(expression) {
      const end = performance.now() + maxWaitMs
      while (!(await evaluate<boolean>(`Boolean(${expression})`).catch(() => false))) {
        if (performance.now() > end) throw new Error(`this never became true: ${expression}`)
        await pause(20)
      }
    },
    async type(text) {
      await send('Input.insertText', { text })
    },
    async press(key, modifier) {
      const modifiers = modifier === 'Control' ? 2 : 0
      const windowsVirtualKeyCode = keyCodes[key]
      const stroke = { key, code: key, modifiers, windowsVirtualKeyCode }
      await send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...stroke })
      await send('Input.dispatchKeyEvent', { type: 'keyUp', ...stroke })
    },
    async resize(width, height) {
      const metrics = { width, height, deviceScaleFactor: 1, mobile: false }
      await send('Emulation.setDeviceMetricsOverride', metrics)
    },
    async prefer(scheme) {
      const features = [{ name: 'prefers-color-scheme', value: scheme }]
      await send('Emulation.setEmulatedMedia', { features })
    },
    async picture(file) {
      const { data } = await send('Page.captureScreenshot')
      await writeFile(file, Buffer.from(data as string, 'base64'))
    },
    async violations() {
      await evaluate(`${axe.source}; 0`)
      // It would request the styles once more, which a file system refuses.
      const options = `{ preload: location.protocol !== 'file:', resultTypes: ['violations'] }`
      return evaluate(`axe.run(document, ${options}).then(({ violations }) =>
        violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) =>
          id + ': ' + html.slice(0, 300) + ' ' + failureSummary)))`)
    },
  }
}

const keyCodes: { readonly [key: string]: number } = { Tab: 9, Enter: 13, Escape: 27 }

function record(log: TabLog, method: string, params: Result): void {
  switch (method) {
    case 'Network.requestWillBeSent':
      log.requests.push((params['request'] as { readonly url: string }).url)
      return
    case 'Network.webSocketCreated':
      log.requests.push(params['url'] as string)
      return
    case 'Runtime.exceptionThrown':
      log.faults.push(JSON.stringify(params))
      return
    case 'Audits.issueAdded': {
      const { code } = params['issue'] as { readonly code: string }
      if (code === 'ContentSecurityPolicyIssue') log.faults.push(JSON.stringify(params))
      return
    }
    case 'Runtime.consoleAPICalled':
      if (isSerious(params['type'])) log.faults.push(JSON.stringify(params['args']))
      return
    case 'Log.entryAdded': {
      const { level, source, text, url } = params['entry'] as { [name: string]: string }
      const entries = source === 'network' ? log.failedRequests : log.faults
      if (isSerious(level)) entries.push(`${text} ${url ?? ''}`)
    }
  }
}

function isSerious(level: unknown): boolean {
  return level === 'error' || level === 'warning'
}
