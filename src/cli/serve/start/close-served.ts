import type { CloseReport } from '../../../hosts/node/index.js'
import type { ClosedModule } from '../flags/apply-plan.js'
import { describeThrown } from '../load/load-file.js'

/** What a module has even if requests were cut at the deadline; workers are killed 500 ms after it. */
const leastMs = 250

/** Closes the server, and then what the module has opened: if that fails, it is only reported. */
export async function closeServed<Times extends { readonly deadline: number }>(
  server: { close(times: Times): Promise<CloseReport> },
  times: Times,
  onClose: ClosedModule['onClose'],
  report: (text: string) => void,
): Promise<CloseReport> {
  const start = performance.now()
  const closeReport = await server.close(times)
  const ms = Math.max(leastMs, Math.round(times.deadline - (performance.now() - start)))
  let timer: NodeJS.Timeout | undefined
  try {
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`not finished after ${ms} ms`)), ms)
    })
    await Promise.race([onClose?.(), late])
  } catch (error) {
    report(describeThrown('onClose', error))
  } finally {
    clearTimeout(timer)
  }
  return closeReport
}
