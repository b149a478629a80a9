import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
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

const maxWaitMs = 40_000

/** The certificates of the tests are signed by themselves. */
const browserFlags =
  '--headless --no-sandbox --ignore-certificate-errors --disable-gpu --disable-quic --disable-dev-shm-usage --no-first-run ' +
  '--no-proxy-server --disable-background-networking --disable-component-update --disable-sync'

/** Starting a browser takes a second, so that the tabs of a process share one. */
let started: Promise<Wire> | undefined

/** Opens a tab with storage and a cache of its own for as long as the work takes. */
export async function withTab<Value>(
  work: (tab: Tab) => Promise<Value>,
  maxMs = 60_000,
): Promise<Value> {
  const wire = await (started ??= startBrowser())
  const timer = setTimeout(() => wire.end(), maxMs)
  const { browserContextId } = await wire.send('Target.createBrowserContext')
  try {
    return await work(await createTab(wire, browserContextId))
  } finally {
    await wire.send('Target.disposeBrowserContext', { browserContextId })
    clearTimeout(timer)
  }
}

/** Starts a headless browser that speaks CDP over a pipe, and ends with this process. */
async function startBrowser(): Promise<Wire> {
  if (browser === undefined) throw new Error('A browser is required here: install chromium.')
  const profile = await mkdtemp(join(tmpdir(), 'graphwire-browser-'))
  const flags = `${browserFlags} --user-data-dir=${profile} --remote-debugging-pipe about:blank`
  // A process group of its own, since the browser is many processes and all of them must end.
  const child = spawn(browser, flags.split(' '), {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  })
  process.once('exit', () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
    rmSync(profile, { recursive: true, force: true, maxRetries: 10 })
  })
  const [, , , out, incoming] = child.stdio as unknown as Socket[]
  // What waits for a tab keeps this process running, not the browser.
  for (const one of [child, out, incoming]) one?.unref()
  const wire = new Wire(out as Socket, incoming as Socket)
  child.once('close', () => {
    started = undefined
    wire.end()
  })
  return wire
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
  readonly sessionId?: string
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
  /** What looks at the events of a tab, by its session. */
  readonly watching = new Map<string, (method: string, params: Result) => void>()

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
    const { id, sessionId = '', method = '', params = {} } = message
    if (id === undefined) return this.watching.get(sessionId)?.(method, params)
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

async function createTab(wire: Wire, browserContextId: unknown): Promise<Tab> {
  const target = { url: 'about:blank', browserContextId }
  const { targetId } = await wire.send('Target.createTarget', target)
  const attached = await wire.send('Target.attachToTarget', { targetId, flatten: true })
  const session = attached['sessionId'] as string
  const tab = new Tab((method, params) => wire.send(method, params, session))
  wire.watching.set(session, (method, params) => record(tab, method, params))
  for (const domain of ['Page', 'Runtime', 'Network', 'Log', 'Audits'])
    await wire.send(`${domain}.enable`, {}, session)
  return tab
}

type Send = (method: string, params?: object) => Promise<Result>

export class Tab {
  readonly log = {
    /** The URLs of all requests, those of workers and pages included. */
    requests: [] as string[],
    /** Errors and warnings of the console, exceptions, and breaches of the policy. */
    faults: [] as string[],
    /** What the console says of requests that failed, or whose status is that of an error. */
    failedRequests: [] as string[],
  }
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  async open(url: string): Promise<void> {
    await this.#send('Page.navigate', { url })
    await this.evaluate(`new Promise((done) => document.readyState === 'complete'
      ? done() : addEventListener('load', () => done()))`)
  }

  /** The value of an expression in the page, which may be a promise. */
  async evaluate<Value>(expression: string): Promise<Value> {
    const options = { expression, awaitPromise: true, returnByValue: true }
    const { result, exceptionDetails } = await this.#send('Runtime.evaluate', options)
    if (exceptionDetails !== undefined) {
      throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`)
    }
    return (result as { readonly value: Value }).value
  }

  /** Waits until an expression in the page is true, during a navigation too. */
  async until(expression: string): Promise<void> {
    const end = performance.now() + maxWaitMs
    while (!(await this.evaluate<boolean>(`Boolean(${expression})`).catch(() => false))) {
      if (performance.now() > end) throw new Error(`this never became true: ${expression}`)
      await pause(20)
    }
  }

  /** Types into what has the focus. */
  async type(text: string): Promise<void> {
    await this.#send('Input.insertText', { text })
  }

  /** Presses a key, such as Tab, or Enter together with Control. */
  async press(key: string, modifier?: 'Control'): Promise<void> {
    const modifiers = modifier === 'Control' ? 2 : 0
    const windowsVirtualKeyCode = keyCodes[key]
    const stroke = { key, code: key, modifiers, windowsVirtualKeyCode }
    await this.#send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...stroke })
    await this.#send('Input.dispatchKeyEvent', { type: 'keyUp', ...stroke })
  }

  async resize(width: number, height: number): Promise<void> {
    const metrics = { width, height, deviceScaleFactor: 1, mobile: false }
    await this.#send('Emulation.setDeviceMetricsOverride', metrics)
  }

  async prefer(scheme: 'light' | 'dark'): Promise<void> {
    const features = [{ name: 'prefers-color-scheme', value: scheme }]
    await this.#send('Emulation.setEmulatedMedia', { features })
  }

  async picture(file: string): Promise<void> {
    const { data } = await this.#send('Page.captureScreenshot')
    await writeFile(file, Buffer.from(data as string, 'base64'))
  }

  /** What axe-core finds wrong with the page as it is, in a line each. */
  async violations(): Promise<readonly string[]> {
    // Once for a page, since it takes as long as a check.
    if (!(await this.evaluate(`'axe' in window`))) await this.evaluate(`${axe.source}; 0`)
    // It would request the styles once more, which a file system refuses.
    const options = `{ preload: location.protocol !== 'file:', resultTypes: ['violations'] }`
    return this.evaluate(`axe.run(document, ${options}).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) =>
        id + ': ' + html.slice(0, 300) + ' ' + failureSummary)))`)
  }
}

const keyCodes: { readonly [key: string]: number } = { Tab: 9, Enter: 13, Escape: 27 }

function record({ log }: Tab, method: string, params: Result): void {
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
