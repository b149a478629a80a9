import * as module from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const bench = fileURLToPath(new URL('..', import.meta.url))

/**
 * The servers to start: `start(port)` returns the arguments for `node`, `roots` are the packages that a user installs in
 * `folder`, and `reference` is the contender that it is compared with.
 */
export function contendersOf(graphwireFolders) {
  return [
    ...graphwireFolders.flatMap((folder, at) => {
      const reference = `minimal ${at}`
      const own = { folder, reference, roots: ['graphwire', 'graphql'] }
      const binary = { ...own, start: (port) => binaryArguments(folder, port) }
      return [
        {
          ...own,
          ...script(folder, 'minimal.mjs'),
          id: reference,
          name: 'graphql-js by hand',
          roots: ['graphql'],
        },
        { ...own, ...script(folder, 'library.mjs'), name: 'graphwire' },
        { ...own, ...script(folder, 'compiled.mjs'), name: 'graphwire, compiled' },
        { ...binary, name: 'graphwire serve', env: { NODE_DISABLE_COMPILE_CACHE: '1' } },
        ...(keepsCode ? [{ ...binary, name: 'graphwire serve, again' }] : []),
      ]
    }),
    peer('graphql-yoga', 'yoga.mjs', ['graphql-yoga', 'graphql']),
    peer('@apollo/server', 'apollo.mjs', ['@apollo/server', 'graphql']),
    peer('mercurius', 'mercurius.mjs', ['mercurius', 'fastify', 'graphql']),
    peer('node:http alone', 'bare.mjs', []),
  ]
}

/** Whether this Node keeps what it has compiled for the next start. */
const keepsCode = module.enableCompileCache !== undefined

/** The peers run on the first version of graphql. */
function peer(name, file, roots) {
  return { name, folder: bench, reference: 'minimal 0', roots, ...script(bench, file) }
}

function script(folder, file) {
  return { start: (port) => [join(folder, 'cold-start', file), String(port)] }
}

function binaryArguments(folder, port) {
  const main = join(folder, 'node_modules/graphwire/dist/src/cli/main.js')
  const [schema, resolvers] = ['schema.graphql', 'resolvers.mjs'].map((file) =>
    join(folder, 'cold-start', file),
  )
  const where = ['--host', '127.0.0.1', '--port', String(port)]
  return [main, 'serve', schema, '--resolvers', resolvers, ...where]
}
