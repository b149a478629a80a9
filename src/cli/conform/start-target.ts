import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { checkReachable, toTarget } from '../../conformance/index.js'
import { before } from '../../conformance/run/before.js'
import { exitCodes, fail } from '../process/exit.js'

const startMs = 30_000

export interface StartOptions {
  readonly command: string
  readonly url: string
  readonly onOutput: (text: string) => void
  readonly signal: AbortSignal
  readonly limitMs?: number
}

export async function startTarget(options: StartOptions): Promise<ProcessGroup | 'interrupted'> {
  const { command, url, onOutput, signal, limitMs = startMs } = options
  if (await isReachable(url)) {
    const reason = `A server is already running at ${url}, and --start would test that one`
    fail('usage', `${reason}: stop it first.`)
  }
  const group = startGroup(command, onOutput)
  const ended = group.ended.then((how) => `${how} before ${url} accepted connections`)
  const late = `did not accept connections at ${url} within ${limitMs} ms`
  let isWaiting = true
  const ready = (async () => {
    while (isWaiting && !(await isReachable(url))) await pause(50)
    return 'ready' as const
  })()
  const end = { deadline: Date.now() + limitMs, signal }
  const outcome = (await before(Promise.race([ready, ended]), end)) ?? late
  isWaiting = false
  if (outcome === 'ready') return group
  await group.stop()
  if (signal.aborted) return 'interrupted'
  return fail('usage', `--start ${JSON.stringify(command)} ${outcome}.${quote(group.output())}`)
}

export function quote(output: string): string {
  return output === '' ? ' It printed nothing.' : ` It printed:\n${output.trimEnd()}`
}

export async function isReachable(url: string): Promise<boolean> {
  try {
    await checkReachable(toTarget(url), 1000)
    return true
  } catch {
    return false
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** A signal to stop early; a second one ends the process at once. `release` removes the handlers. */
export function awaitInterruption(): {
  readonly signal: AbortSignal
  readonly release: () => void
} {
  const controller = new AbortController()
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted.code)
    controller.abort()
  }
  for (const name of signals) process.on(name, onSignal)
  const release = (): void => {
    for (const name of signals) process.off(name, onSignal)
  }
  return { signal: controller.signal, release }
}

/** A shell command with all the processes that it has started. */
export interface ProcessGroup {
  readonly ended: Promise<string>
  readonly output: () => string
  /** Sends SIGTERM, and SIGKILL if it does not exit in time. */
  readonly stop: () => Promise<void>
}

const keptCharacters = 20_000

/** Starts a command in its own process group, so that signals also reach a server behind a shell. */
export function startGroup(
  command: string,
  onOutput: (text: string) => void,
  graceMs = 5000,
): ProcessGroup {
  const child = spawn(command, { shell: true, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let kept = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      kept = (kept + text).slice(-keptCharacters)
      onOutput(text)
    })
  }
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`could not be started: ${error.message}`))
    child.once('exit', (code, signal) => resolve(`exited with ${signal ?? `code ${code}`}`))
  })
  /** Whether there still was a process to signal. */
  const kill = (signal: NodeJS.Signals | 0): boolean => {
    const { pid = Number.NaN } = child
    try {
      // Windows has no groups; its shell ends alone.
      return process.kill(process.platform === 'win32' ? pid : -pid, signal)
    } catch {
      return false
    }
  }
  const killAtExit = (): void => void kill('SIGKILL')
  process.once('exit', killAtExit)
  return {
    ended,
    output: () => kept,
    async stop() {
      const deadline = Date.now() + graceMs
      kill('SIGTERM')
      while (kill(0) && Date.now() < deadline) await pause(20)
      kill('SIGKILL')
      process.off('exit', killAtExit)
      child.stdout.destroy()
      child.stderr.destroy()
    },
  }
}
