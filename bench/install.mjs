import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
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

async function npm(cwd, ...args) {
  await promisify(execFile)('npm', [...args, '--no-audit', '--no-fund', '--prefer-offline'], {
    cwd,
    timeout: 300_000,
  })
}

async function readJson(path) {
  return JSON.parse(await readFile(path, 'utf8'))
}
