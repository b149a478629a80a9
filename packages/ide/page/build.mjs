// Builds the page and writes its files to ../assets, compressed, with a manifest. `npm run ide` in the root runs this.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { build } from 'vite'
import { hashInputs } from './inputs.mjs'

/** What all assets may have together: they are in the repository and in the package. */
const maxBytes = 1_800_000

const root = fileURLToPath(new URL('.', import.meta.url))
const built = new URL('dist/', import.meta.url)
const assets = new URL('../assets/', import.meta.url)

await build({ root, configFile: fileURLToPath(new URL('vite.config.mjs', import.meta.url)) })

const files = readdirSync(built).filter((name) => /\.(?:js|css|ttf)$/.test(name))
/** There is one of each: see vite.config.mjs. */
const find = (pattern) => files.find((name) => pattern.test(name))

rmSync(assets, { recursive: true, force: true })
mkdirSync(assets)
let bytes = 0
for (const name of files) {
  const packed = compress(readFileSync(new URL(name, built)))
  bytes += packed.byteLength
  writeFileSync(new URL(`${name}.br`, assets), packed)
}
const manifest = {
  inputs: hashInputs(),
  bytes,
  script: find(/^index-.*\.js$/),
  style: find(/\.css$/),
  files,
}
writeFileSync(new URL('manifest.json', assets), `${JSON.stringify(manifest, undefined, 2)}\n`)
writeFileSync(new URL('licenses.md', assets), readFileSync(new URL('licenses.md', built)))
console.log(`${files.length} files, ${bytes} bytes`)
if (bytes > maxBytes) throw new Error(`The assets have ${bytes} bytes, more than ${maxBytes}.`)

function compress(content) {
  return brotliCompressSync(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength,
    },
  })
}
