import { startListening, type Listening } from '../../../hosts/node/server/listen.js'
import type { Outcome } from '../../../index.js'
import type { CliError } from '../../process/cli-error.js'
import type { Terminal } from '../../arguments/define-command.js'
import { exitCodes } from '../../process/exit-codes.js'
import { readVersion } from '../../process/version.js'
import type { Plan } from '../flags/plan.js'
import { loadPlan, refusedOption } from '../load/load-plan.js'
import { assemble } from './assemble.js'
import { formatBanner, listFacts, type Fact } from './banner.js'
import { listenFailure } from './listen-failure.js'
import { exitCodeOfStop, formatStopReport, sumReports } from './stop-report.js'
import { untilStopped } from './until-stopped.js'

/** Serves in this process until a signal. */
export async function runServer(
  plan: Plan,
  terminal: Terminal,
): Promise<Outcome<number, CliError>> {
  const report = (text: string): void => terminal.err(`${text}\n`)
  let renew: (() => Promise<void>) | undefined
  // On a terminal SIGHUP means that it was closed, and with it the only way to stop the server.
  const renews = plan.tls !== undefined && !process.stderr.isTTY
  const onHangup = renews ? (): void => void renew?.() : undefined
  const stopped = untilStopped({ env: terminal.env, onHangup, report })
  const started = await Promise.race([startServer(plan, terminal), stopped])
  if (started === 'stopped') return { ok: true, value: exitCodes.ok.code }
  if (!started.ok) return started
  const { listening, url, facts } = started.value
  if (plan.tls !== undefined) {
    const { createRenewal, watchCertificate } = await import('../certificate/renew-certificate.js')
    renew = createRenewal(
      plan.tls.files,
      (certificate) => listening.setCertificate(certificate),
      report,
    )
    const again = renew
    watchCertificate(plan.tls.files, () => void again())
  }
  report(formatBanner(readVersion(), facts, url))
  await stopped
  const stopReport = sumReports([await listening.close(plan.stop)])
  report(formatStopReport(stopReport))
  return { ok: true, value: exitCodeOfStop(stopReport) }
}

/** A server that listens, and the facts for its banner. */
interface Started {
  readonly listening: Listening
  readonly url: string
  readonly facts: readonly Fact[]
}

async function startServer(plan: Plan, terminal: Terminal): Promise<Outcome<Started, CliError>> {
  const loaded = await loadPlan(plan)
  if (!loaded.ok) return loaded
  const options = loaded.value
  const [host, port] = [plan.host.value, plan.port.value]
  try {
    const { listener, settings, loadSockets, countConnections } = assemble(
      plan,
      { ...options, host, port },
      terminal,
    )
    const listening = await startListening(listener, { ...settings, sockets: await loadSockets() })
    countConnections(listening.figures)
    const url = `${listening.origin}${options.path}`
    return { ok: true, value: { listening, url, facts: listFacts(plan, options) } }
  } catch (error) {
    return listenFailure(host, port, error) ?? refusedOption(error)
  }
}
