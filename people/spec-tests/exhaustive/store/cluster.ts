import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { freePort } from '../access/services.js'

const run = promisify(execFile)
const versions = '/usr/lib/postgresql'

/** Why no server can be made; false if one is required. */
export function findClusterAbsence(): string | false {
  if (findBinaries() !== undefined) return false
  if (process.env['GRAPHWIRE_REQUIRE_SERVICES']) throw new Error(`No PostgreSQL in ${versions}`)
  return `NOT TESTED WITH A POSTGRESQL THAT GOES AWAY: none in ${versions}`
}

/** Makes a PostgreSQL server of a test's own, which it may stop and start. */
export async function makeCluster(t: Test) {
  const binaries = findBinaries()!
  const folder = mkdtempSync(join(tmpdir(), 'people-pg-'))
  const data = join(folder, 'data')
  const port = await freePort()
  if (isRoot) await run('chown', ['postgres:', folder])
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c fsync=off`
  const control = (...parameters: readonly string[]) =>
    asPostgres(join(binaries, 'pg_ctl'), '-D', data, '-w', '-t', '60', ...parameters)
  await asPostgres(join(binaries, 'initdb'), '-D', data, '-U', 'postgres', '-A', 'trust', '-N')
  t.teardown(async () => {
    await control('stop', '-m', 'immediate').catch(() => {})
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    /** The folder of its unix socket, and the port in the name of that. */
    socket: { folder, port },
    start: () => control('start', '-o', settings, '-l', join(folder, 'log')),
    stop: (mode: 'fast' | 'immediate') => control('stop', '-m', mode),
  }
}

const isRoot = process.getuid?.() === 0

/** PostgreSQL does not run as root. */
async function asPostgres(command: string, ...parameters: readonly string[]): Promise<void> {
  const [program, all] = isRoot
    ? ['runuser', ['-u', 'postgres', '--', command, ...parameters]]
    : [command, [...parameters]]
  await run(program, all, { cwd: '/', timeout: 120_000 })
}

function findBinaries(): string | undefined {
  if (!existsSync(versions)) return undefined
  const folders = readdirSync(versions).map((version) => join(versions, version, 'bin'))
  return folders.toSorted().findLast((folder) => existsSync(join(folder, 'pg_ctl')))
}
