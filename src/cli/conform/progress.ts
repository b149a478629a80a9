import type { CaseReport } from '../../conformance/index.js'

/** Where progress is shown. */
export interface ProgressScreen {
  readonly isTerminal: boolean
  readonly columns: number
  write(text: string): void
}

/** Shows the progress of a run. */
export interface Progress {
  readonly tick: (report: CaseReport, done: number, total: number) => void
  /** Stops, and clears the line on a terminal. */
  readonly end: () => void
}

const clearLine = '\r\u001b[2K'

/** Progress: on a terminal one line that is rewritten, elsewhere one line per second. */
export function showProgress(screen: ProgressScreen, intervalMs = 1000): Progress {
  let state = 'probing the target'
  let broken = 0
  const show = (): void => {
    screen.write(
      screen.isTerminal
        ? `${clearLine}${state.slice(0, Math.max(20, screen.columns - 1))}`
        : `${state}\n`,
    )
  }
  const timer = screen.isTerminal ? undefined : setInterval(show, intervalMs)
  if (screen.isTerminal) show()
  return {
    tick({ id, verdict }, done, total) {
      if (verdict === 'fail' || verdict === 'error') broken++
      const failed = broken === 0 ? '' : `, ${broken} failed`
      state = `${done}/${total}${failed}  ${id}`
      if (screen.isTerminal) show()
    },
    end() {
      clearInterval(timer)
      if (screen.isTerminal) screen.write(clearLine)
    },
  }
}
