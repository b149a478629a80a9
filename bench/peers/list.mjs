import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const here = fileURLToPath(new URL('.', import.meta.url))
const bench = fileURLToPath(new URL('..', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))
const standard = join(root, 'fixtures/standard')
const editions = ['2026-09', '2025-05']

/** The suites of streams and sockets. Some servers are run for these alone: another row has the same HTTP server. */
export const streaming = ['sse', 'websocket', 'incremental', 'multipart-subscriptions']

/**
 * The servers that the suite tests. `start(edition)` gives the command, which reads PORT; the same server is started anew
 * for each edition. `command` is the command to type in the root of the repository. `suites`: only these are run.
 */
export const peers = [
  {
    name: 'graphwire',
    language: 'JavaScript',
    editions,
    start: (edition) => [
      process.execPath,
      join(root, 'dist/src/cli/main.js'),
      'serve',
      '--standard',
      '--host',
      '127.0.0.1',
      '--edition',
      edition,
    ],
    command: 'node dist/src/cli/main.js serve --standard --edition EDITION',
    versions: () => versionsOf(root, ['graphwire', 'graphql']),
  },
  peer('graphql-yoga', ['graphql-yoga', '@graphql-yoga/plugin-defer-stream', 'graphql'], {
    options: { defer: true },
  }),
  peer('@apollo/server', ['@apollo/server', 'graphql'], { server: 'apollo-standalone' }),
  peer('@apollo/server, graphql-ws', ['@apollo/server', 'express', 'graphql-ws', 'ws'], {
    server: 'apollo-express',
    suites: streaming,
  }),
  peer('mercurius', ['mercurius', 'fastify', 'graphql'], { options: { subscription: true } }),
  peer('graphql-http', ['graphql-http', 'graphql']),
  peer('graphql-ws, graphql-sse', ['graphql-ws', 'graphql-sse', 'ws', 'graphql-http'], {
    server: 'graphql-ws-sse',
    suites: streaming,
  }),
  peer('grafserv', ['grafserv', 'grafast', 'graphql-ws', 'graphql'], {
    options: { websockets: true },
  }),
  {
    name: 'graphql-core, WSGI',
    language: 'Python',
    editions,
    // Debian's own, even if another comes first in PATH.
    start: () => ['/usr/bin/python3', join(here, 'python/server.py')],
    command: '/usr/bin/python3 bench/peers/python/server.py',
    versions: () => debianVersions(['python3-graphql-core', 'python3-waitress']),
  },
  {
    name: 'graph-gophers',
    language: 'Go',
    editions,
    prepare: buildGo,
    start: (_, folder) => [join(folder, 'server'), standard],
    command:
      'GO111MODULE=off GOPATH=/usr/share/gocode go run bench/peers/go/*.go fixtures/standard',
    versions: () => debianVersions(['golang-github-graph-gophers-graphql-go-dev', 'golang-go']),
  },
]

/** A server of bench/servers/list.mjs. */
function peer(name, packages, { server = name, options, suites } = {}) {
  const args = [server, 'standard', ...(options === undefined ? [] : [JSON.stringify(options)])]
  return {
    name,
    language: 'JavaScript',
    editions,
    suites,
    start: () => [process.execPath, join(bench, 'servers/main.mjs'), ...args],
    command: `node bench/servers/main.mjs ${args.map(quote).join(' ')}`,
    versions: () => versionsOf(bench, packages),
  }
}

function quote(arg) {
  return /[^\w-]/.test(arg) ? `'${arg}'` : arg
}

function buildGo() {
  return buildGoServer(['server', 'streams'].map((name) => join(here, `go/${name}.go`)))
}

/** Builds a server with what Debian has installed; gives the folder, and how to remove it. */
export async function buildGoServer(sources) {
  const folder = await mkdtemp(join(tmpdir(), 'graphwire-go-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  const env = {
    ...process.env,
    GO111MODULE: 'off',
    GOPATH: '/usr/share/gocode',
    GOCACHE: join(folder, 'cache'),
  }
  try {
    await run('go', ['build', '-o', join(folder, 'server'), ...sources], { env, timeout: 120_000 })
  } catch (error) {
    await remove()
    throw error
  }
  return { folder, remove }
}

async function versionsOf(folder, packages) {
  return Promise.all(
    packages.map(async (name) => {
      const own = folder === root && name === 'graphwire'
      const path = own ? root : join(folder, 'node_modules', name)
      const { version } = JSON.parse(await readFile(join(path, 'package.json'), 'utf8'))
      return `${name} ${version}`
    }),
  )
}

/** The versions of installed Debian packages. */
export async function debianVersions(packages) {
  const { stdout } = await run('dpkg-query', [
    '-W',
    '-f',
    '${binary:Package} ${Version}\n',
    ...packages,
  ])
  return stdout.trim().replaceAll(/:\S+ /g, ' ').split('\n')
}
