import { cpSync } from 'node:fs'
import type { Test } from 'tap'
import { processEnvironment } from '../process-environment.js'
import { bundle } from '../frameworks/bundle.js'
import { startRuntime } from '../runtimes/runtime.js'
import { pathOf, shop } from './guides.js'

// The servers before a migration have the same type definitions and resolvers, with the graphql of their packages.
cpSync(pathOf(shop), pathOf('before/shop.mjs'))

/** Starts a server in production and returns the URL that it prints. */
export async function startServer(t: Test, file: string): Promise<string> {
  const program = file.endsWith('.ts') ? await bundleNest(file) : pathOf(file)
  const env = file.startsWith('after/') ? processEnvironment() : {}
  const options = { env: { ...env, NODE_ENV: 'production' } }
  return (await startRuntime(t, [process.execPath, program], options)).url
}

/** The packages of Nest are beside the bundle. */
function bundleNest(file: string): Promise<string> {
  const name = `before/nestjs/dist/${file.replace(/^.*\/|\.ts$/g, '')}.mjs`
  return bundle(`spec-tests/exhaustive/migration/${file}`, name)
}
