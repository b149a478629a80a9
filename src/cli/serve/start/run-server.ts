import { startListening } from '../../../hosts/node/server/listen.js'
import type { Plan } from '../flags/plan.js'
import { refusedOption } from '../load/load-plan.js'
import { assemble } from './assemble.js'
import { closeServed } from './close-served.js'
import { listenFailure, runUntilStopped, type RunningServer } from './run-until-stopped.js'
import { sumReports } from './stop-report.js'
import type { CliOutcome } from '../../process/outcome.js'
import type { Terminal } from '../../process/terminal.js'

export function runServer(plan: Plan, terminal: Terminal): Promise<CliOutcome> {
  const { certificate } = plan
  const report = (text: string): void => terminal.err(`${text}\n`)
  let renew: (() => Promise<void>) | undefined
  const start = async (): Promise<CliOutcome<RunningServer>> => {
    const assembled = await assemble(plan, terminal)
    if (!assembled.ok) return assembled
    const { listener, settings, path, facts, countConnections, onClose } = assembled.value
    try {
      const listening = await startListening(listener, settings)
      countConnections(listening.figures)
      if (certificate !== undefined) {
        const { renewCertificate } = await import('../certificate.js')
        renew = renewCertificate(certificate, listening.setCertificate, report)
      }
      const url = `${listening.origin}${path}`
      const stop = async () =>
        sumReports([await closeServed(listening, plan.stop, onClose, report)])
      return { ok: true, value: { url, facts, stop } }
    } catch (error) {
      return listenFailure(plan, error) ?? refusedOption(error)
    }
  }
  // On a terminal SIGHUP means that it was closed, and with it the only way to stop the server.
  const renews = certificate !== undefined && !process.stderr.isTTY
  const onHangup = renews ? (): void => void renew?.() : undefined
  return runUntilStopped({ terminal, start, onHangup })
}
