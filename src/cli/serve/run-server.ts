import type { Outcome } from '../../index.js'
import type { CliError } from '../cli-error.js'
import type { Terminal } from '../command.js'
import { exitCodes } from '../exit-codes.js'
import { untilSignal } from '../../hosts/node/until-signal.js'
import { readVersion } from '../version.js'
import { formatBanner } from './banner.js'
import type { Plan } from './plan.js'
import { startServer } from './start-server.js'
import { exitCodeOfStop, formatStopReport, sumReports } from './stop-report.js'

/** Serves in this process until a signal. */
export async function runServer(
  plan: Plan,
  terminal: Terminal,
): Promise<Outcome<number, CliError>> {
  const stopped = untilSignal({ secondCode: exitCodes.interrupted.code }).then(
    () => 'stopped' as const,
  )
  const started = await Promise.race([startServer(plan), stopped])
  if (started === 'stopped') return { ok: true, value: exitCodes.ok.code }
  if (!started.ok) return started
  const { served, facts } = started.value
  terminal.err(`${formatBanner(readVersion(), facts)}listening on ${served.url}\n`)
  await stopped
  const report = sumReports([await served.close(plan.stop)])
  terminal.err(`${formatStopReport(report)}\n`)
  return { ok: true, value: exitCodeOfStop(report) }
}
