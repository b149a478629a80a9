import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'

/** A folder that is below no package and has a short path, unlike `t.testdir()`; it is removed when the test ends. */
export function temporaryFolder(t: Test): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'graphwire-')))
  t.teardown(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}
