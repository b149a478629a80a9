import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import t from 'tap'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Bundles what a worker needs of the package, without graphql. */
async function bundle(code: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: root },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    external: ['graphql'],
  })
  return outputFiles[0]?.contents ?? new Uint8Array()
}

const code = `export { createHandler } from './dist/src/index.js'
  export { toFetch } from './dist/src/hosts/fetch/index.js'`
const atMost = 62_940

void t.test(`the engine with the fetch host has at most ${atMost} bytes with gzip`, async (t) => {
  const bytes = gzipSync(await bundle(code), { level: 9 }).byteLength
  t.ok(bytes <= atMost, `${bytes} bytes: raise the budget only for what all users need`)
  t.ok(bytes > 0.9 * atMost, `${bytes} bytes: lower the budget, so that it says something`)
})
