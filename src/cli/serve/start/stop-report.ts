import type { CloseReport } from '../../../hosts/node/index.js'
import type { Exit } from '../../process/exit.js'
import { countOf } from '../../../base/prose.js'

export interface StopReport extends CloseReport {
  /** Workers without a report, because they died or were killed: the number of their requests is unknown. */
  readonly silent?: number
}

/** The report of a worker that had no requests. */
export const nothingToReport: CloseReport = {
  finished: 0,
  cut: 0,
  streams: { ended: 0, cut: 0 },
  sockets: { closed: 0, cut: 0 },
}

/** Sums up reports; a worker without one is undefined. */
export function sumReports(reports: readonly (CloseReport | undefined)[]): StopReport {
  const received = reports.filter((report) => report !== undefined)
  const sum = received.reduce(
    ({ finished, cut, streams, sockets }, one) => ({
      finished: finished + one.finished,
      cut: cut + one.cut,
      streams: { ended: streams.ended + one.streams.ended, cut: streams.cut + one.streams.cut },
      sockets: { closed: sockets.closed + one.sockets.closed, cut: sockets.cut + one.sockets.cut },
    }),
    nothingToReport,
  )
  return { ...sum, silent: reports.length - received.length }
}

export function formatStopReport(report: StopReport): string {
  const { finished, cut, streams, sockets, silent = 0 } = report
  const facts = [`${countOf(finished, 'request')} finished, ${cut} cut`]
  if (streams.ended + streams.cut > 0) {
    facts.push(`${countOf(streams.ended, 'stream')} ended, ${streams.cut} cut`)
  }
  if (sockets.closed + sockets.cut > 0) {
    facts.push(`${countOf(sockets.closed, 'socket')} closed, ${sockets.cut} cut`)
  }
  const text = `stopped: ${facts.join('; ')}`
  return silent === 0 ? text : `${text}, and ${countOf(silent, 'worker')} had to be killed`
}

/** Whether all requests were finished, all streams ended, and all sockets closed. */
export function exitOfStop({ cut, streams, sockets, silent = 0 }: StopReport): Exit {
  return cut + streams.cut + sockets.cut + silent === 0 ? 'ok' : 'cut'
}
