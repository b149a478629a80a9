import { copyFileSync } from 'node:fs'
import { build } from 'esbuild'
import type { Test } from 'tap'
import { root, startRuntime, type Running } from './runtime.js'

/** Bundles a module worker as examples/worker says, and starts it under workerd with the configuration there. */
export async function startWorker(t: Test, program: string, worker: string): Promise<Running> {
  const folder = t.testdir({ 'no-files.js': 'export const readFileSync = undefined' })
  await build({
    entryPoints: [root + worker],
    outfile: `${folder}/dist/worker.js`,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    // The standard schema is given the texts of its files.
    alias: { 'node:fs': `${folder}/no-files.js` },
    // The parser of uploads requires streams and events of Node, which this runtime has.
    external: ['node:*'],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire('/')",
    },
    loader: { '.json': 'text', '.graphql': 'text' },
    logLevel: 'silent',
  })
  copyFileSync(`${root}examples/worker/config.capnp`, `${folder}/config.capnp`)
  // It tells the port of a free one only where it is asked to.
  const flags = ['--socket-addr=http=127.0.0.1:0', '--control-fd=1']
  return startRuntime(t, [program, 'serve', `${folder}/config.capnp`, ...flags], {
    urlOf: (line) => `http://127.0.0.1:${(JSON.parse(line) as { port: number }).port}/graphql`,
  })
}
