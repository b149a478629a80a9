import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync } from 'node:fs'
import t from 'tap'
import { installed, skip } from '../installed.js'
import { root } from '../runtimes/runtime.js'

const runners: readonly (readonly [name: string, args: readonly string[], nodeOptions: string])[] =
  [
    ['vitest', ['run'], ''],
    ['jest', [], '--experimental-vm-modules'],
  ]

for (const [name, args, nodeOptions] of runners) {
  void t.test(`examples/${name}`, { skip }, async (t) => {
    stagePackage()
    const folder = `${installed}dist/runners/`
    rmSync(`${folder}${name}`, { recursive: true, force: true })
    cpSync(`${root}examples/${name}`, `${folder}${name}`, { recursive: true })
    cpSync(`${root}examples/api.mjs`, `${folder}api.mjs`)
    const program = `${installed}node_modules/.bin/${name}`
    const options = {
      cwd: `${folder}${name}`,
      env: { ...process.env, NODE_OPTIONS: nodeOptions, NO_COLOR: '1' },
      encoding: 'utf8',
    } as const
    // Jest reports on stderr, but both end with 0 only if all tests pass.
    t.doesNotThrow(() => execFileSync(program, args, { ...options, stdio: 'pipe' }))
    const none = () =>
      execFileSync(program, [...args, 'no such file'], { ...options, stdio: 'pipe' })
    t.throws(none, 'without tests they fail')
  })
}

void t.test('docs/testing.md shows them', async (t) => {
  const page = readFileSync(`${root}docs/testing.md`, 'utf8')
  for (const file of ['vitest/vitest.config.mjs', 'vitest/api.test.mjs', 'jest/jest.config.mjs']) {
    t.ok(page.includes(readFileSync(`${root}examples/${file}`, 'utf8')), file)
  }
})

/** Where the runners look for it, as after `npm install graphwire`. */
function stagePackage(): void {
  execFileSync(process.execPath, ['release/stage.mjs', `${installed}node_modules/graphwire`], {
    cwd: root,
    stdio: 'pipe',
  })
}
