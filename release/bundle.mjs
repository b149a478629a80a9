import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { rolldown } from 'rolldown'
import { toLineMap } from './line-map.mjs'

/**
 * What is loaded together is one file: a file of the source is in the first of these that has it or a file that imports
 * it. Node takes a third of a millisecond for each file that it loads, whatever is in it.
 */
// oxfmt-ignore
const chunks = [
  // `import.meta` cannot be transformed to CommonJS, as Jest does, so what applications import is free of it.
  ['files', /^base\/package-file\.ts$/],
  // The code without graphql, which describes the flags of the binary and `explain`.
  ['base', /^(?:(?:base|http|shapes)\/.*|over-http\/(?:refusals|editions)|options\/(?:batch-options|numeric-options|report)|hosts\/reason-phrase)\.ts$/],
  ['engine', /^(?:index|surface\/.*)\.ts$/],
  ['hosts', /^(?:hosts\/[^/]+|websocket\/socket-options)\.ts$/],
  ['websocket', /^hosts\/websocket\//],
  ['options', /^hosts\/node\/.*-options\.ts$/],
  ['node', /^hosts\/node\/index\.ts$/],
  ['compiled', /^compiled\/index\.ts$/],
  ['suite', /^conformance\/(?:suite\/(?:editions|fixture-files|statements)|run\/run-numbers|reporters\/words\/printable)\.ts$/],
  // main.ts awaits everything after it, so nothing that it imports may be in the same chunk.
  ['start', /^cli\/(?:run-cli|process\/package)\.ts$/],
  ['cli', /^cli\/(?:commands|process\/(?!with-target).*|serve\/flags\/plan)\.ts$/],
  ['topics', /^cli\/explain\/run-explain\.ts$/],
  ['serve', /^cli\/serve\/(?!workers\/)/],
  ['workers', /^cli\/serve\/workers\/run-workers\.ts$/],
  ['conformance', /^conformance\//],
  ['target', /^cli\/process\/with-target\.ts$/],
  ...['conform', 'explain', 'documents', 'doctor', 'init'].map((name) => [name, new RegExp(`^cli/${name}/`)]),
]

/** The worker is a program of its own, which no file imports. */
const programs = ['dist/src/cli/serve/workers/worker.js']

/**
 * Writes the code of the package to a folder: one module per entry, with what they share in dist/src/chunks, readable,
 * and with maps that name the sources by their URL in the repository.
 */
export async function bundle(root, { exports, bin }, sources, folder) {
  const entries = [...Object.values(exports), ...Object.values(bin), ...programs]
    .map((entry) => entry.default ?? entry)
    .filter((path) => path.endsWith('.js'))
    .map((path) => relative('dist/src', path).slice(0, -'.js'.length))
  const src = join(root, 'src/')
  const pathOf = (id) => relative(src, id).replaceAll('\\', '/')
  const build = await rolldown({
    input: Object.fromEntries(entries.map((name) => [name, `${src}${name}.ts`])),
    external: /^[^./]/,
    platform: 'node',
    tsconfig: false,
    checks: { ineffectiveDynamicImport: false },
  })
  const { output } = await build.generate({
    chunkFileNames: 'chunks/[name].js',
    minifyInternalExports: false,
    comments: false,
    sourcemap: 'hidden',
    sourcemapPathTransform: (source, map) => pathOf(join(dirname(map), source)),
    codeSplitting: {
      groups: chunks.map(([name, pattern], at) => ({
        name,
        test: (id) => pattern.test(pathOf(id)),
        priority: chunks.length - at,
      })),
    },
  })
  await build.close()
  for (const { type, fileName, code, map } of output) {
    if (type !== 'chunk') continue
    const path = join(folder, 'dist/src', fileName)
    mkdirSync(dirname(path), { recursive: true })
    if (map === null) {
      writeFileSync(path, code)
      continue
    }
    writeFileSync(path, `${code}//# sourceMappingURL=${basename(path)}.map\n`)
    writeFileSync(
      `${path}.map`,
      JSON.stringify({ ...toLineMap(code, map), sourceRoot: `${sources}/src/` }),
    )
  }
}
