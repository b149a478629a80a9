import { execFileSync } from 'node:child_process'
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import type { Test } from 'tap'
import { bundle } from '../frameworks/bundle.js'
import { installed } from '../installed.js'
import { programs, root, startRuntime } from '../runtimes/runtime.js'

const servers = 'spec-tests/exhaustive/ide/servers/'

/** Hosts whose packages have a lockfile of their own. Each serves the IDE at the URL that it gives. */
export const installedHosts: { readonly [name: string]: (t: Test) => Promise<string> } = {
  async Deno(t) {
    const allowed = ['--allow-net', '--allow-env', '--allow-read']
    const command = [programs.deno, 'run', ...allowed, `${root}${servers}deno.mjs`] as const
    return (await startRuntime(t, command)).url
  },
  async Elysia(t) {
    const env = { NODE_PATH: `${installed}node_modules` }
    return (await startRuntime(t, [programs.bun, `${root}${servers}elysia.mjs`], { env })).url
  },
  async NestJS(t) {
    copyIde()
    const file = await bundle(`${servers}nest.mjs`, 'dist/nest-ide.mjs')
    return (await startRuntime(t, [process.execPath, file])).url
  },
  async Next(t) {
    copyIde()
    const folder = `${installed}dist/next`
    rmSync(folder, { recursive: true, force: true })
    await bundle(`${servers}next-route.mjs`, 'dist/next/app/graphql/route.js')
    const file = await bundle(`${servers}next-server.mjs`, 'dist/next/server.mjs')
    const config = "export default { serverExternalPackages: ['@graphwire/ide'] }"
    writeFileSync(`${folder}/next.config.mjs`, config)
    const { NODE_OPTIONS: _, ...inherited } = process.env
    const env = { ...inherited, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }
    const build = [`${installed}node_modules/next/dist/bin/next`, 'build', folder]
    execFileSync(process.execPath, build, { env, stdio: 'pipe' })
    return (await startRuntime(t, [process.execPath, file, folder], { env })).url
  },
}

/** Where the bundles find it: its files are beside its modules. */
function copyIde(): void {
  for (const part of ['package.json', 'dist', 'assets']) {
    const target = `${installed}dist/node_modules/@graphwire/ide/${part}`
    cpSync(`${root}packages/ide/${part}`, target, { recursive: true })
  }
}
