// What is in a bundle of `createHandler` and `toFetch`? Prints the size of each part, without graphql. Build first.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { formatTable } from './report.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const code = `export { createHandler } from './dist/src/index.js'
export { toFetch } from './dist/src/hosts/fetch/index.js'`

/**
 * The parts, by the paths of their files in `dist/src`; a file belongs to the first that matches. What a server can do
 * without is left out once, to see what the bundle would be.
 */
const optional = [
  ['cost', /^graphql\/limits\/cost\//],
  [
    'streams and subscriptions',
    /^streams\/|event-stream|play-stream|stream-(options|response)|execute\/subscribe|read-ahead/,
  ],
  ['stored documents', /^persisted\/|stored-documents|document-refusals|base\/sha256/],
  ['WebSockets', /^websocket\/|socket/],
  ['batches', /batch/],
  ['parts of results', /incremental|pending-items|late-values/],
  ['caching', /^graphql\/cache\/|cache-response|entity-tags|pure-selection/],
  ['limits of documents', /^graphql\/limits\//],
  ['traces', /trace|tracing/],
  ['the IDE', /ide\./],
]
const needed = [
  ['refusals', /refusal|denial/],
  ['options and their texts', /^(options|shapes)\//],
  ['HTTP and negotiation', /^(http|over-http)\//],
  ['documents, execution, errors', /^graphql\//],
  ['roads and steps', /^handler\//],
  ['hosts, base', /^(hosts|base)\//],
]
const parts = [...optional, ...needed]

const whole = await bundle()
const files = new Map(
  Object.entries(whole.files).map(([file, { bytesInOutput }]) => [pathOf(file), bytesInOutput]),
)
const partOf = (path) => parts.find(([, pattern]) => pattern.test(path))?.[0]
const rows = []
for (const [part] of parts) {
  let bytes = 0
  for (const [path, size] of files) if (partOf(path) === part) bytes += size
  const isOptional = optional.some(([name]) => name === part)
  const without = isOptional ? await bundle((path) => partOf(path) === part) : undefined
  rows.push([part, bytes, without && whole.gzip - without.gzip])
}
rows.push(['all', whole.bytes, whole.gzip])
const shown = rows.map(([part, ...sizes]) => [
  part,
  ...sizes.map((size) => (size === undefined ? '' : (size / 1000).toFixed(1))),
])
console.log(formatTable(['', 'kB', 'gzip less without'], shown, new Set([1, 2])))

/** Bundles and minifies; files that are left out are empty instead. */
async function bundle(isLeftOut = () => false) {
  const leaveOut = {
    name: 'leave out',
    setup: ({ onLoad }) =>
      onLoad({ filter: /dist\/src\/.*\.js$/ }, async ({ path }) => {
        const contents = await readFile(path, 'utf8')
        return isLeftOut(pathOf(path)) ? { contents: emptied(contents) } : { contents }
      }),
  }
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: root },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'neutral',
    external: ['graphql'],
    plugins: [leaveOut],
  })
  const [{ contents }] = outputFiles
  return {
    bytes: contents.byteLength,
    gzip: gzipSync(contents, { level: 9 }).byteLength,
    files: Object.values(metafile.outputs)[0].inputs,
  }
}

/** A module with the same names, and nothing behind them. */
function emptied(contents) {
  const declared = contents.matchAll(/^export (?:async )?(?:const|class|function\*?|let) (\w+)/gm)
  const listed = contents.matchAll(/^export \{([^}]*)\}/gm)
  const names = new Set([
    ...Array.from(declared, ([, name]) => name),
    ...Array.from(listed, ([, list]) =>
      list.split(',').map((name) => name.trim().split(' as ').at(-1)),
    ).flat(),
  ])
  names.delete('')
  return [...names].map((name) => `export const ${name} = 0`).join('\n')
}

function pathOf(file) {
  return file.replace(/^.*dist\/src\//, '')
}
