import { build } from 'esbuild'
import { installed } from '../installed.js'
import { root } from '../runtimes/runtime.js'

/** Entries that a bundle takes from this repository. */
const ofThisRepository: { readonly [name: string]: string } = {
  '@graphwire/nest': `${root}packages/nest/dist/index.js`,
  graphwire: `${root}dist/src/index.js`,
  'graphwire/base': `${root}dist/src/shapes/index.js`,
  'graphwire/fastify': `${root}dist/src/hosts/frameworks/fastify.js`,
  'graphwire/fetch': `${root}dist/src/hosts/fetch/index.js`,
  'graphwire/node': `${root}dist/src/hosts/node/index.js`,
  'graphwire/websocket': `${root}dist/src/hosts/node/websocket/index.js`,
}

/**
 * Bundles a file of this repository to one below the installed packages, which are not above it, with graphwire in it.
 * graphql is the installed one for both, and what decorators need is there.
 */
export async function bundle(entry: string, name: string): Promise<string> {
  const outfile = `${installed}${name}`
  await build({
    entryPoints: [`${root}${entry}`],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    alias: { ...ofThisRepository },
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
    logLevel: 'silent',
  })
  return outfile
}
