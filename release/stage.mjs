// Writes a package that is published to a folder: the files that `files` names without the declarations that no
// entry needs, the code bundled by entry, all fixtures as one file, a manifest without what only this repository needs,
// and links that work in node_modules and on npm. `npm publish <folder>` does the rest.
// Without arguments it writes all packages: graphwire to dist/package, the others to dist/staged.
// One of them: node release/stage.mjs <folder> [packages/rest]
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from './bundle.mjs'
import { packFixtures } from './pack-fixtures.mjs'
import { reachDeclarations } from './reach-declarations.mjs'

const [, , folder, source = ''] = process.argv
const repository = fileURLToPath(new URL('..', import.meta.url))
const root = join(repository, source, '/')
if (folder === undefined) {
  const others = readdirSync(join(repository, 'packages'))
  for (const args of [
    ['dist/package'],
    ...others.map((name) => [`dist/staged/${name}`, `packages/${name}`]),
  ]) {
    execFileSync(process.execPath, [fileURLToPath(import.meta.url), ...args], {
      cwd: repository,
      stdio: 'inherit',
    })
  }
  process.exit()
}

// The fixtures that users open stay files. `npm pack` here, and an install from git, take all as files.
const staysAFile = /^fixtures\/(?:README\.md|meta\/|standard\/)/
const listing = ['pack', '--dry-run', '--json', '--ignore-scripts']
const [packed] = JSON.parse(execFileSync('npm', listing, { cwd: root, encoding: 'utf8' }))
const declarations = reachDeclarations(root, readManifest(root).exports)
const paths = packed.files
  .map(({ path }) => path)
  .filter((path) => !path.endsWith('.d.ts') || declarations.has(path))
  .filter((path) => !path.startsWith('fixtures/') || staysAFile.test(path))
  .filter((path) => source !== '' || !path.endsWith('.js') || !path.startsWith('dist/'))
const ownMembers = new Set([
  'private',
  'files',
  'workspaces',
  'scripts',
  'devDependencies',
  'overrides',
])
const members = Object.entries(readManifest(root)).filter(([name]) => !ownMembers.has(name))
const manifest = { ...Object.fromEntries(members), ...typesWithoutExports(readManifest(root)) }
const home = manifest.repository.url.replace(/^git\+|\.git$/g, '')

if (existsSync(folder) && !isStaged(folder)) {
  throw new Error(`${folder} exists and was not written by this: name another folder.`)
}
rmSync(folder, { recursive: true, force: true })
for (const path of paths) cpSync(join(root, path), join(folder, path))
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
if (source === '') {
  writeFileSync(join(folder, 'fixtures/all.json.br'), packFixtures(join(root, 'fixtures')))
  await bundle(root, manifest, `${home}/raw/v${manifest.version}`, folder)
} else {
  cpSync(join(repository, 'LICENSE'), join(folder, 'LICENSE'))
}
for (const path of paths) {
  const mend = path.endsWith('.md')
    ? mendLinks
    : /\.(?:js|d\.ts)$/.test(path)
      ? cutMapLine
      : undefined
  if (mend === undefined) continue
  writeFileSync(join(folder, path), mend(readFileSync(join(root, path), 'utf8'), path))
}

function readManifest(from) {
  return JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'))
}

/** Where TypeScript 5 with `module: commonjs`, which does not read `exports`, finds the types. */
function typesWithoutExports({ exports }) {
  const { '.': main, ...others } = exports
  const typed = Object.entries(others).filter(([, { types }]) => types !== undefined)
  const versions = typed.map(([entry, { types }]) => [entry.slice('./'.length), [types]])
  return {
    types: main.types,
    ...(versions.length > 0 && { typesVersions: { '*': Object.fromEntries(versions) } }),
  }
}

/** Whether a folder was staged before, and may be deleted. */
function isStaged(there) {
  if (!existsSync(join(there, 'package.json'))) return false
  const { name, private: isRepository } = readManifest(there)
  return name === manifest.name && isRepository !== true
}

/** Leads links to files that are not packed to the repository, and pictures to their bytes there. */
function mendLinks(text, page) {
  return text.replace(/(!\[[^\]]*)?\]\((?![a-z]+:|[#<])([^)#]+)/g, (link, picture, target) => {
    const path = posix.join(dirname(page), target).replace(/\/$/, '')
    if (isPacked(path)) return link
    const place = posix.join(source, path)
    const view = picture === undefined ? 'blob' : 'raw'
    return `${picture ?? ''}](${home}/${view}/v${manifest.version}/${place}`
  })
}

/** The maps of declarations and of packages are not packed, since the sources are not. */
function cutMapLine(text) {
  return text.replace(/^\/\/# sourceMappingURL=.*\n?/m, '')
}

function isPacked(path) {
  const isFolder = statSync(join(root, path)).isDirectory()
  return isFolder ? paths.some((one) => one.startsWith(`${path}/`)) : paths.includes(path)
}
