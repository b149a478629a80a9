import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { installed } from '../installed.js'

export const root: string = fileURLToPath(new URL('../../../../', import.meta.url))
export const folder = `${root}spec-tests/exhaustive/runtimes/`

/** The programs of the runtimes. */
export const programs = {
  bun: `${installed}node_modules/@oven/bun-linux-x64/bin/bun`,
  deno: `${installed}node_modules/@deno/linux-x64-glibc/deno`,
  workerd: `${installed}node_modules/@cloudflare/workerd-linux-64/bin/workerd`,
} as const

export type RuntimeName = keyof typeof programs

/** A server that a runtime serves, with what it prints beside its URL. */
export interface Running {
  readonly url: string
  readonly stderr: () => string
}

interface StartOptions {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  readonly urlOf?: (line: string) => string
}

/** Starts a server that prints its URL, or what `urlOf` reads it from, as its first line. */
export async function startRuntime(
  t: Test,
  command: readonly [program: string, ...args: string[]],
  { cwd = folder, env = {}, urlOf = (line: string) => line }: StartOptions = {},
): Promise<Running> {
  const [program, ...args] = command
  // Not those of Node, which are for this process.
  const { NODE_OPTIONS: _, ...inherited } = process.env
  const child = spawn(program, args, {
    cwd,
    env: { ...inherited, ...env, PORT: '0', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (chunk) => (stderr += String(chunk)))
  t.teardown(() => end(child))
  const [line] = (await Promise.race([
    once(createInterface(child.stdout), 'line'),
    once(child, 'close').then(() => Promise.reject(new Error(`It ended: ${stderr}`))),
  ])) as [string]
  return { url: urlOf(line), stderr: () => stderr }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
}
