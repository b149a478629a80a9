import type { Outcome } from '../../index.js'
import type { CliError } from '../cli-error.js'
import type { Terminal } from '../command.js'
import { exitCodes } from '../exit-codes.js'
import { untilSignal } from '../shutdown.js'
import { readVersion } from '../version.js'
import { formatBanner } from './banner.js'
import type { Plan } from './plan.js'
import { startServer } from './start-server.js'

/** Serves in this process until a signal. */
export async function runServer(
  plan: Plan,
  terminal: Terminal,
): Promise<Outcome<number, CliError>> {
  const stopped = untilSignal().then(() => 'stopped' as const)
  const started = await Promise.race([startServer(plan), stopped])
  if (started !== 'stopped') {
    if (!started.ok) return started
    const { url, facts, close } = started.value
    terminal.err(`${formatBanner(readVersion(), facts)}listening on ${url}\n`)
    await stopped
    await close()
  }
  return { ok: true, value: exitCodes.ok.code }
}
