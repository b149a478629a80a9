import { writeFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { join } from 'node:path'
import t from 'tap'
import { importInstalled } from '../../../src/cli/process/import-installed.js'
import { temporaryFolder } from '../temporary-folder.js'

/** Looks for the optional packages where there are none, in the whole process. */
const hook = `export function resolve(specifier, context, next) {
  const isOptional = /^@graphwire\\/(?:rest|uploads)$/.test(specifier)
  return next(specifier, isOptional ? { ...context, parentURL: 'file:///' } : context)
}`
nodeModule.register(`data:text/javascript,${encodeURIComponent(hook)}`)
const { say } = await import('../../cli/say.js')

// oxfmt-ignore
const rows: readonly [line: string, message: RegExp, code: number][] = [
  ['explain INVALID_PATH',                          /No error has the code "INVALID_PATH"\..* Codes of routes need the package @graphwire\/rest\.$/m, 2],
  ['explain 299',                                   /graphwire never sends the status 299\..* Codes of routes need the package @graphwire\/rest\.$/m, 2],
  ['serve --standard --port 0 --capabilities uploads', /^--capabilities uploads requires a package: npm install @graphwire\/uploads\.$/m, 3],
]
for (const [line, message, code] of rows) {
  void t.test(`without optional packages: ${line}`, async (t) => {
    t.match(await say(line.split(' ')), { code, err: message })
  })
}

void t.test('an installed package that lacks one of its own is not taken for absent', async (t) => {
  const name = join(temporaryFolder(t), 'index.mjs')
  writeFileSync(name, "import 'graphwire-missing'")
  await t.rejects(importInstalled(name), { message: /package 'graphwire-missing'/ })
  t.equal(await importInstalled('graphwire-missing'), undefined)
})
