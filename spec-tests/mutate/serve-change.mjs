// Imported before a process runs tests: loads the one module of the variable MUTANT with its change.
import { readFileSync } from 'node:fs'
import { register } from 'node:module'
import { isMainThread } from 'node:worker_threads'

const { url, start, end, text } = JSON.parse(process.env.MUTANT)
// Threads that run hooks load this file again.
if (isMainThread) register(import.meta.url)

/** @type {import('node:module').LoadHook} */
export async function load(module, context, next) {
  if (module !== url) return next(module, context)
  const source = readFileSync(new URL(url), 'utf8')
  const changed = source.slice(0, start) + text + source.slice(end)
  return { format: 'module', source: changed, shortCircuit: true }
}
