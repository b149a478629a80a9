import type { Test } from 'tap'

/** A tab of a headless browser, and what it has noticed. */
export interface Tab {
  readonly log: { [list in 'requests' | 'faults' | 'failedRequests']: readonly string[] }
  open(url: string): Promise<void>
  evaluate<Value>(expression: string): Promise<Value>
  until(expression: string): Promise<void>
  resize(width: number, height: number): Promise<void>
  prefer(scheme: 'light' | 'dark'): Promise<void>
  violations(): Promise<readonly string[]>
}

/** The driver of the tests of graphwire, which are another project for the compiler. */
const driver = '../../../../../dist/spec-tests/exhaustive/clients/drive-browser.js'
const { skip, withTab } = (await import(new URL(driver, import.meta.url).href)) as {
  /** Why tests in a browser are skipped; false if a browser is available or required. */
  readonly skip: string | false
  withTab(work: (tab: Tab) => Promise<void>, maxMs: number): Promise<void>
}
export { skip }

/** Opens a page in a browser of its own, which ends with the test. */
export function openTab(t: Test, url: string): Promise<Tab> {
  return new Promise((resolve, reject) => {
    const over = new Promise<void>((end) => t.teardown(() => (end(), closed)))
    const work = (tab: Tab) => tab.open(url).then(() => (resolve(tab), over))
    const closed = withTab(work, 400_000).catch(reject)
  })
}

/** What the console and the policy have complained about. */
export function complaintsOf({ log }: Tab): readonly string[] {
  return [...log.faults, ...log.failedRequests]
}
