import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { isJsonObject, type JsonObject } from '../../src/base/json.js'

/** A page of a headless browser, driven over the DevTools protocol. */
export interface BrowserPage {
  /** Opens a URL and waits until it is loaded. */
  open(url: string): Promise<void>
  /** How wide the page is, and whether the system asks for dark colors. */
  look(width: number, scheme: 'light' | 'dark'): Promise<void>
  /** The value of an expression, awaited; scripts of the test run whatever policy the page has. */
  evaluate(expression: string): Promise<unknown>
  /** What the page has requested since this was last asked, in any way, and what it has complained about. */
  takeSeen(): Seen
}

/** The URLs of requests; and errors of the console, of scripts, and of what could not be loaded. */
interface Seen {
  readonly requests: readonly string[]
  readonly complaints: readonly string[]
}

/** Calls `use` with a page, and ends the browser when it is done. */
export async function withPage(
  browser: string,
  use: (page: BrowserPage) => Promise<void>,
): Promise<void> {
  const profile = await mkdtemp(join(tmpdir(), 'graphwire-browser-'))
  // A process group of its own, since the browser is many processes and all of them must end.
  const child = spawn(browser, [...flags, `--user-data-dir=${profile}`], {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  try {
    await use(await attach(child))
  } finally {
    signalGroup(child, 'SIGKILL')
    await ended
    await rm(profile, { recursive: true, force: true, maxRetries: 10 })
  }
}

const flags = [
  '--headless',
  '--remote-debugging-pipe',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--no-proxy-server',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Opens a page; its commands go through the pipes of the protocol. */
async function attach(child: ChildProcess): Promise<BrowserPage> {
  const send = connect(child)
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
  const call = (method: string, params: object = {}): Promise<JsonObject> =>
    send(method, params, String(sessionId))
  for (const domain of ['Page', 'Network', 'Log', 'Runtime']) await call(`${domain}.enable`)
  let requests: string[] = []
  let complaints: string[] = []
  send.watch('Network.requestWillBeSent', ({ request }) =>
    requests.push(String((request as JsonObject)['url'])),
  )
  send.watch('Runtime.exceptionThrown', (event) => complaints.push(JSON.stringify(event)))
  send.watch('Log.entryAdded', ({ entry }) => complaints.push(JSON.stringify(entry)))
  send.watch('Runtime.consoleAPICalled', (event) => {
    if (event['type'] !== 'log') complaints.push(JSON.stringify(event))
  })
  const evaluate = async (expression: string): Promise<unknown> => {
    const options = { awaitPromise: true, returnByValue: true }
    const { result, exceptionDetails } = await call('Runtime.evaluate', { expression, ...options })
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails))
    return isJsonObject(result) ? result['value'] : undefined
  }
  return {
    evaluate,
    async open(url) {
      const loaded = send.next('Page.loadEventFired')
      await call('Page.navigate', { url })
      await loaded
    },
    async look(width, scheme) {
      const metrics = { width, height: 900, deviceScaleFactor: 1, mobile: false }
      await call('Emulation.setDeviceMetricsOverride', metrics)
      const features = [{ name: 'prefers-color-scheme', value: scheme }]
      await call('Emulation.setEmulatedMedia', { features })
    },
    takeSeen() {
      const seen = { requests, complaints }
      requests = []
      complaints = []
      return seen
    },
  }
}

interface Send {
  (method: string, params: object, sessionId?: string): Promise<JsonObject>
  /** Resolves at the next event of this name. */
  next(event: string): Promise<void>
  /** Calls the function at each event of this name. */
  watch(event: string, seen: (params: JsonObject) => void): void
}

/** Messages are JSON that ends with a zero byte. */
function connect(child: ChildProcess): Send {
  const [, , , input, output] = child.stdio as unknown as readonly [
    ...nothing: readonly [null, null, null],
    input: Writable,
    output: Readable,
  ]
  let id = 0
  let rest = ''
  const answers = new Map<unknown, (message: JsonObject) => void>()
  const events = new Map<unknown, () => void>()
  const watchers = new Map<unknown, (params: JsonObject) => void>()
  output.setEncoding('utf8').on('data', (text: string) => {
    const messages = (rest + text).split('\0')
    rest = messages.pop() ?? ''
    for (const one of messages) {
      const message = JSON.parse(one) as JsonObject
      answers.get(message['id'])?.(message)
      events.get(message['method'])?.()
      const { params } = message
      if (isJsonObject(params)) watchers.get(message['method'])?.(params)
    }
  })
  const send = async (method: string, params: object, sessionId?: string): Promise<JsonObject> => {
    const command = { id: ++id, method, params, ...(sessionId !== undefined && { sessionId }) }
    const answer = new Promise<JsonObject>((resolve) => answers.set(command.id, resolve))
    input.write(`${JSON.stringify(command)}\0`)
    const { result, error } = await answer
    answers.delete(command.id)
    if (!isJsonObject(result)) throw new Error(`${method}: ${JSON.stringify(error)}`)
    return result
  }
  return Object.assign(send, {
    next: (event: string) => new Promise<void>((resolve) => events.set(event, resolve)),
    watch: (event: string, seen: (params: JsonObject) => void) => void watchers.set(event, seen),
  })
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // It has ended by itself.
  }
}
