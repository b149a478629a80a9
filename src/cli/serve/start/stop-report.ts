import type { CloseReport } from '../../../hosts/node/index.js'
import { exitCodes } from '../../process/exit-codes.js'

/** The result of stopping. */
export interface StopReport extends CloseReport {
  /** Workers without a report, because they died or were killed: the number of their requests is unknown. */
  readonly silent: number
}

/** Sums up reports; a worker without one is undefined. */
export function sumReports(reports: readonly (CloseReport | undefined)[]): StopReport {
  const received = reports.filter((report) => report !== undefined)
  return {
    finished: received.reduce((sum, { finished }) => sum + finished, 0),
    cut: received.reduce((sum, { cut }) => sum + cut, 0),
    silent: reports.length - received.length,
  }
}

export function formatStopReport({ finished, cut, silent }: StopReport): string {
  const text = `stopped: ${count(finished, 'request')} finished, ${cut} cut`
  return silent === 0 ? text : `${text}, and ${count(silent, 'worker')} had to be killed`
}

/** The exit code: whether all requests were finished. */
export function exitCodeOfStop({ cut, silent }: StopReport): number {
  return cut + silent === 0 ? exitCodes.ok.code : exitCodes.cut.code
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
