// Builds the script of the playground: a classic one, which a file system serves too.
import { readFileSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import { fileURLToPath } from 'node:url'
import vue from '@vitejs/plugin-vue'
import { build } from 'vite'

const fixtures = new URL('../../fixtures/', import.meta.url)
const texts = Object.fromEntries(
  ['rfc', 'streaming', '2026-09', '2025-05'].map((name) => {
    const path = `statements/${name}.json`
    return [path, JSON.stringify(JSON.parse(readFileSync(new URL(path, fixtures), 'utf8')))]
  }),
)

/** The modules that replace those of `explain` that use Node or files, by the ends of their names. */
const inPage = {
  'node:http': `export const STATUS_CODES = ${JSON.stringify(STATUS_CODES)}`,
  '/fixture-files.ts': `
    const texts = ${JSON.stringify(texts)}
    export const fixturesFolder = undefined
    export const openFixtures = () => ({ read: (path) => texts[path] })`,
  '/import-installed.ts': 'export const importInstalled = () => undefined',
}

const withoutNode = {
  name: 'without-node',
  enforce: 'pre',
  resolveId: (id) => (id === 'node:http' ? id : undefined),
  load: (id) => Object.entries(inPage).find(([end]) => id.endsWith(end))?.[1],
}

export async function buildPlayground(site) {
  await build({
    configFile: false,
    root: fileURLToPath(new URL('.', import.meta.url)),
    logLevel: 'warn',
    plugins: [vue(), withoutNode],
    build: {
      outDir: site,
      emptyOutDir: false,
      target: 'es2022',
      modulePreload: false,
      rollupOptions: {
        input: fileURLToPath(new URL('main.mjs', import.meta.url)),
        // Wrapped in a function, since a module awaits, and a classic script cannot.
        output: {
          entryFileNames: 'playground.js',
          inlineDynamicImports: true,
          banner: '(async () => {',
          footer: '})()',
        },
      },
    },
  })
}
