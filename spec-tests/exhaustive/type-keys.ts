import { spawn, type SpawnOptionsWithoutStdio } from 'node:child_process'
import type { Test } from 'tap'

/**
 * How a command ends, and what its terminal shows, when keys are typed once it shows a prompt; undefined without the program
 * `script`.
 */
export function typeKeys(
  t: Test,
  command: string,
  [prompt, keys]: readonly [prompt: string, keys: string],
  options: SpawnOptionsWithoutStdio,
): Promise<{ readonly code: number | null; readonly shown: string } | undefined> {
  const child = spawn('script', ['-qec', command, '/dev/null'], options)
  return new Promise((resolve) => {
    let shown = ''
    child.on('error', () => {
      t.comment('SKIPPED: the program `script` is not installed')
      resolve(undefined)
    })
    child.stdout.on('data', (chunk: Buffer) => {
      const wasShown = shown.includes(prompt)
      shown += String(chunk)
      if (!wasShown && shown.includes(prompt)) child.stdin.write(keys)
    })
    child.on('close', (code) => resolve({ code, shown }))
  })
}
