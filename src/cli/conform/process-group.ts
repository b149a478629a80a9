import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'

/** A shell command with all the processes that it has started. */
export interface ProcessGroup {
  /** How it ended, if it has. */
  readonly ended: Promise<string>
  /** Its latest output. */
  readonly output: () => string
  /** Sends SIGTERM, and SIGKILL if it does not exit in time. */
  readonly stop: () => Promise<void>
}

/** How much of the output is kept. */
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
  const kill = (signal: NodeJS.Signals | 0): boolean => signalGroup(child.pid, signal)
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

/** Whether there still was a process to signal. */
function signalGroup(id: number | undefined, signal: NodeJS.Signals | 0): boolean {
  if (id === undefined) return false
  try {
    // Windows has no groups; its shell ends alone.
    return process.kill(process.platform === 'win32' ? id : -id, signal)
  } catch {
    return false
  }
}
