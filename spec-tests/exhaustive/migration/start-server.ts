import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import type { Test } from 'tap'
import { processEnvironment } from '../process-environment.js'
import { ofThisRepository } from '../frameworks/bundle.js'
import { pathOf } from './guides.js'

/** Starts a server in production and returns the URL that it prints. */
export async function startServer(t: Test, file: string): Promise<string> {
  const { NODE_OPTIONS: _, ...env } = process.env
  const isOurs = file.startsWith('after/')
  const program = file.endsWith('.ts') ? await bundle(file) : pathOf(file)
  const child = spawn(process.execPath, [program], {
    env: { ...(isOurs ? processEnvironment() : env), NODE_ENV: 'production', PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (chunk) => (stderr += String(chunk)))
  const closed = once(child, 'close')
  t.teardown(() => {
    child.kill()
    return closed
  })
  const [line] = (await Promise.race([
    once(createInterface(child.stdout), 'line'),
    closed.then(() => Promise.reject(new Error(`${file} ended: ${stderr}`))),
  ])) as [string]
  return line
}

/** Decorators need a compiler, and the packages of Nest are beside the bundle, whose graphql is used for both. */
async function bundle(file: string): Promise<string> {
  const outfile = pathOf(`before/nestjs/dist/${file.replace(/^.*\/|\.ts$/g, '')}.mjs`)
  await build({
    entryPoints: [pathOf(file)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    alias: { ...ofThisRepository },
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
    logLevel: 'silent',
  })
  return outfile
}
