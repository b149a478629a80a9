import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { GraphQLError } from 'graphql'
import type { Outcome } from '../../index.js'
import { fail, type CliError } from '../cli-error.js'
import { formatGraphQLErrors } from './format-fault.js'
import { findSyntaxError } from './find-syntax-error.js'
import { describeFileError } from './read-text-file.js'

/** The exports of a module by name. */
export interface Exports {
  readonly [name: string]: unknown
}

/** Imports a module of the user; what it throws becomes a message without our own stack. */
export async function importModule(file: string): Promise<Outcome<Exports, CliError>> {
  const path = resolve(file)
  try {
    await access(path)
  } catch (error) {
    return fail('configuration', describeFileError(file, error))
  }
  const { href } = pathToFileURL(path)
  try {
    const exports = (await import(href)) as Exports
    return { ok: true, value: withoutInterop(exports) }
  } catch (error) {
    return fail('configuration', await describeThrown(file, error))
  }
}

/** Says that neither the default export nor the one of the name is there. */
export function noExport(file: string, name: string, exports: Exports): string {
  const names = Object.keys(exports).join(', ') || 'nothing'
  return `${file}: expected a default export, or one named ${name}; it exports ${names}.`
}

/** Says what a module of the user threw, with the line of the stack that is theirs. */
export async function describeThrown(file: string, error: unknown): Promise<string> {
  if (!(error instanceof Error)) return `${file}: threw ${String(error)}.`
  if (isLocated(error)) return formatGraphQLErrors([error], file)
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION' && /\.[cm]?ts"/.test(error.message)) {
    return `${file}: Node ${process.versions.node} cannot load TypeScript; 22.18 and later can. Compile it first.`
  }
  const where = error instanceof SyntaxError ? await findSyntaxError(file, error) : undefined
  const place = where ?? stackLine(file, error.stack ?? '')
  return `${file}: ${error.name}: ${error.message}${place === undefined ? '' : `\n${place}`}`
}

/** The innermost call in their own file, or else the innermost that is neither Node's nor ours. */
function stackLine(file: string, stack: string): string | undefined {
  const path = resolve(file)
  const ours = new URL('../..', import.meta.url).href
  const calls = stack.split('\n').filter((line) => /^\s+at .*:\d+:\d+\)?$/.test(line))
  return (
    calls.find((call) => call.includes(path) || call.includes(pathToFileURL(path).href)) ??
    calls.find((call) => !call.includes('node:') && !call.includes(ours))
  )
}

function isLocated(error: Error): error is GraphQLError {
  return 'locations' in error && 'source' in error && error.source !== undefined
}

/** Compiled modules mark with `__esModule` that their default export lies one level deeper. */
function withoutInterop(exports: Exports): Exports {
  const inner = exports['default']
  const isInterop = typeof inner === 'object' && inner !== null && '__esModule' in inner
  return isInterop ? { ...inner } : exports
}
