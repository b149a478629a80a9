import { startListening } from '../../../hosts/node/server/host-server.js'
import type { Plan } from '../flags/plan.js'
import { assemble } from './assemble.js'
import { runUntilStopped, type RunningServer } from './run-until-stopped.js'
import type { Exit } from '../../process/exit.js'
import type { Terminal } from '../../process/terminal.js'

export function runServer(plan: Plan, terminal: Terminal): Promise<Exit> {
  let renew: (() => Promise<void>) | undefined
  const start = async (): Promise<RunningServer> => {
    const { host, path, facts, close, ...more } = await assemble(plan, terminal, startListening)
    renew = more.renew
    return { url: `${host.origin}${path}`, facts, stop: () => close(plan.stop) }
  }
  const onHangup = plan.certificate && ((): void => void renew?.())
  return runUntilStopped({ terminal, start, onHangup })
}
