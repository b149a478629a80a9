import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const bench = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('..', import.meta.url))

/** Installs the peers as the lockfile says, unless they are there. */
export async function installPeers() {
  if (!existsSync(join(bench, 'node_modules'))) await npm(bench, 'ci')
}

/** The versions of graphql that both graphwire and its tests are built for, the peers' major first. */
export async function graphqlVersions() {
  const { dependencies } = await readJson(join(bench, 'package.json'))
  const { devDependencies } = await readJson(join(root, 'package.json'))
  return [dependencies.graphql, devDependencies.graphql]
}

/** Packs graphwire as it is published and installs it as a user would, beside each version of graphql. */
export async function installGraphwire(folder, versions) {
  const staged = join(folder, 'staged')
  await promisify(execFile)(process.execPath, [join(root, 'release/stage.mjs'), staged])
  await npm(staged, 'pack', '--pack-destination', folder)
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'))
  const folders = []
  for (const version of versions) {
    const place = join(folder, `graphql-${version}`)
    await mkdir(place)
    await writeFile(join(place, 'package.json'), '{ "private": true }')
    await npm(place, 'install', join(folder, tarball), `graphql@${version}`)
    folders.push(place)
  }
  return folders
}

/** The version of an installed package. */
export async function versionOf(folder, name) {
  return (await readJson(join(folder, 'node_modules', name, 'package.json'))).version
}

/** Installs the servers and runs `work` with a folder, which is removed in the end. */
export async function inWorkshop(work) {
  await installPeers()
  const workshop = await mkdtemp(join(tmpdir(), 'graphwire-bench-'))
  try {
    return await work(workshop)
  } finally {
    await rm(workshop, { recursive: true, force: true })
  }
}

/** Where each major version of graphql is installed: that of the peers, and that of the tests. */
const installations = new Map([
  [16, join(bench, 'node_modules/graphql')],
  [17, join(root, 'node_modules/graphql')],
])

/**
 * A folder for each major of graphql, in which graphwire as it is built in `checkout`, the servers and that graphql lie
 * as after an installation: every import of `graphql` there finds that version.
 */
export async function createEngineFolders(workshop, checkout = root) {
  if (!existsSync(join(checkout, 'dist/src/index.js'))) {
    throw new Error(`Run "npm run build" in ${checkout} first.`)
  }
  const folders = new Map()
  for (const [major, installation] of installations) {
    const folder = join(workshop, checkout === root ? 'here' : 'before', `graphql-${major}`)
    const modules = join(folder, 'node_modules')
    const engine = join(modules, 'graphwire')
    await mkdir(engine, { recursive: true })
    await cp(join(checkout, 'package.json'), join(engine, 'package.json'))
    await cp(join(checkout, 'dist/src'), join(engine, 'dist/src'), { recursive: true })
    await symlink(await realpath(installation), join(modules, 'graphql'))
    await symlink(await realpath(join(root, 'node_modules/ws')), join(modules, 'ws'))
    for (const part of ['servers', 'micro', 'workloads.mjs', 'median.mjs']) {
      await cp(join(bench, part), join(folder, part), { recursive: true })
    }
    folders.set(major, folder)
  }
  return folders
}

async function npm(cwd, ...args) {
  await promisify(execFile)('npm', [...args, '--no-audit', '--no-fund', '--prefer-offline'], {
    cwd,
    timeout: 300_000,
  })
}

async function readJson(path) {
  return JSON.parse(await readFile(path, 'utf8'))
}
