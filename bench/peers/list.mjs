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
 * The servers that are held against the suite. `start(edition)` gives the command, which reads PORT; the same
 * server is started anew for each edition. `command` is what a person types, in the root of the repository. `suites`:
 * only these are run.
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
  peer('graphql-yoga', 'yoga', ['graphql-yoga', '@graphql-yoga/plugin-defer-stream', 'graphql']),
  peer('@apollo/server', 'apollo', ['@apollo/server', 'graphql']),
  {
    ...peer('@apollo/server, graphql-ws', 'apollo-express', [
      '@apollo/server',
      'express',
      'graphql-ws',
      'ws',
    ]),
    suites: streaming,
  },
  peer('mercurius', 'mercurius', ['mercurius', 'fastify', 'graphql']),
  peer('graphql-http', 'graphql-http', ['graphql-http', 'graphql']),
  {
    ...peer('graphql-ws, graphql-sse', 'graphql-ws', [
      'graphql-ws',
      'graphql-sse',
      'ws',
      'graphql-http',
    ]),
    suites: streaming,
  },
  peer('grafserv', 'grafserv', ['grafserv', 'grafast', 'graphql-ws', 'graphql']),
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

function peer(name, script, packages) {
  return {
    name,
    language: 'JavaScript',
    editions,
    start: () => [process.execPath, join(here, `${script}.mjs`)],
    command: `node bench/peers/${script}.mjs`,
    versions: () => versionsOf(bench, packages),
  }
}

/** Builds the server with what Debian has installed; gives the folder, and how to remove it. */
async function buildGo() {
  const folder = await mkdtemp(join(tmpdir(), 'graphwire-go-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  const env = {
    ...process.env,
    GO111MODULE: 'off',
    GOPATH: '/usr/share/gocode',
    GOCACHE: join(folder, 'cache'),
  }
  const sources = ['server', 'streams'].map((name) => join(here, `go/${name}.go`))
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

async function debianVersions(packages) {
  const { stdout } = await run('dpkg-query', [
    '-W',
    '-f',
    '${binary:Package} ${Version}\n',
    ...packages,
  ])
  return stdout.trim().replaceAll(/:\S+ /g, ' ').split('\n')
}
