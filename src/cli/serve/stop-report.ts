import type { CloseReport } from '../../hosts/node/index.js'
import { exitCodes } from '../exit-codes.js'

/** How stopping went. */
export interface StopReport extends CloseReport {
  /** The workers that could not tell: they were killed, or died, and what they had is not known. */
  readonly silent: number
}

/** One report of many; undefined is that of a worker that could not tell. */
export function sumReports(reports: readonly (CloseReport | undefined)[]): StopReport {
  const told = reports.filter((report) => report !== undefined)
  return {
    finished: told.reduce((sum, { finished }) => sum + finished, 0),
    cut: told.reduce((sum, { cut }) => sum + cut, 0),
    silent: reports.length - told.length,
  }
}

/** The last line of a server. */
export function formatStopReport({ finished, cut, silent }: StopReport): string {
  const text = `stopped: ${count(finished, 'request')} finished, ${cut} cut`
  return silent === 0 ? text : `${text}, and ${count(silent, 'worker')} had to be killed`
}

/** The exit code that says whether everybody was answered. */
export function exitCodeOfStop({ cut, silent }: StopReport): number {
  return cut + silent === 0 ? exitCodes.ok.code : exitCodes.cut.code
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
