import { startListening } from '../../../hosts/node/server/listen.js'
import type { Plan } from '../flags/plan.js'
import { assemble } from './assemble.js'
import { runUntilStopped, type RunningServer } from './run-until-stopped.js'
import { sumReports } from './stop-report.js'
import type { CliOutcome } from '../../process/outcome.js'
import type { Terminal } from '../../process/terminal.js'

export function runServer(plan: Plan, terminal: Terminal): Promise<CliOutcome> {
  let renew: (() => Promise<void>) | undefined
  const start = async (): Promise<CliOutcome<RunningServer>> => {
    const assembled = await assemble(plan, terminal, startListening)
    if (!assembled.ok) return assembled
    const { host, path, facts, close } = assembled.value
    renew = assembled.value.renew
    const stop = async () => sumReports([await close(plan.stop)])
    return { ok: true, value: { url: `${host.origin}${path}`, facts, stop } }
  }
  const onHangup = plan.certificate && ((): void => void renew?.())
  return runUntilStopped({ terminal, start, onHangup })
}
