import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { installed, skip } from './installed.js'

/** What `npm pack --json` tells. */
export interface Packed {
  readonly filename: string
  /** Of the tarball. */
  readonly size: number
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string }[]
}

/** Runs a command without the redirection of the matrix and the hooks of tap: a package is on its own. */
export function run(cwd: string, ...command: readonly string[]): string {
  return execFileSync('env', ['-u', 'NODE_OPTIONS', ...command], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Packs what is in a folder into another one. */
export function pack(from: string, to: string, ...words: readonly string[]): Packed {
  const listed = run(from, 'npm', 'pack', '--json', '--pack-destination', to, ...words)
  return (JSON.parse(listed) as [Packed])[0]
}

/** How a project of a test installs packages. */
export const installing =
  'npm install --no-audit --no-fund --prefer-offline --no-package-lock'.split(' ')

/** publint looks at the manifest and the files, attw at the types as each way of resolving modules finds them; they exit with 1. */
export function checkPublished(folders: readonly string[], tarball: string, entry: string): void {
  const profile = ['--profile', 'strict', '--ignore-rules', 'cjs-resolves-to-esm', '--no-color']
  const checkers: readonly (readonly [name: string, args: readonly string[], clean: string])[] = [
    ...folders.map((folder) => ['publint', ['run', folder, '--strict'], 'All good!'] as const),
    ['attw', [tarball, ...profile], `"${entry}" `],
  ]
  for (const [name, args, clean] of checkers) {
    const program = join(installed, 'node_modules/.bin', name)
    void t.test(`${name} finds nothing: ${args.join(' ')}`, { skip }, async (t) => {
      t.match(run(installed, program, ...args), clean)
    })
  }
}
