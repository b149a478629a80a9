import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const bench = fileURLToPath(new URL('..', import.meta.url))

/**
 * What is started, and how: `start(port)` gives the arguments for `node`, `roots` the packages that a user
 * installs for it in `folder`. The first is what the others are compared with.
 */
export function contendersOf(graphwireFolders) {
  return [
    ...graphwireFolders.map((folder) => ({
      name: 'graphwire',
      folder,
      roots: ['graphwire', 'graphql'],
      start: (port) => [
        join(folder, 'node_modules/graphwire/dist/src/cli/main.js'),
        'serve',
        join(here, 'schema.graphql'),
        '--resolvers',
        join(here, 'resolvers.mjs'),
        '--host',
        '127.0.0.1',
        '--port',
        String(port),
      ],
    })),
    peer('graphql-yoga', 'yoga.mjs', ['graphql-yoga', 'graphql']),
    peer('@apollo/server', 'apollo.mjs', ['@apollo/server', 'graphql']),
    peer('mercurius', 'mercurius.mjs', ['mercurius', 'fastify', 'graphql']),
    peer('node:http alone', 'bare.mjs', []),
  ]
}

function peer(name, script, roots) {
  return { name, folder: bench, roots, start: (port) => [join(here, script), String(port)] }
}
