import { execFile } from 'node:child_process'
import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { GraphQLError, GraphQLSchema } from 'graphql'
import { isJsonObject } from '../../../base/json.js'
import { packageFile } from '../../../base/package-file.js'
import type { Outcome } from '../../../index.js'
import { fail, type CliError } from '../../process/cli-error.js'
import { showValue } from '../../../shapes/show-value.js'
import { suggest } from '../../../shapes/suggest.js'
import {
  findJsonFault,
  formatFault,
  formatGraphQLErrors,
  offsetOfMember,
  placeAt,
} from './file-fault.js'
import { describeFileError, readTextFile } from '../../process/read-text-file.js'

const maxWaitMs = 5000

/** The exports of a module by name. */
interface Exports {
  readonly [name: string]: unknown
}

/** Imports a module of the user; an error becomes a message without our own stack. */
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

/** The message for a module that lacks both a default export and the named one. */
export function noExport(file: string, name: string, exports: Exports): string {
  const names = Object.keys(exports).join(', ') || 'no exports'
  return `${file}: expected a default export, or one named ${name}, got ${names}.`
}

/** Describes what a user's module threw, with the line of the stack in their code. */
export async function describeThrown(file: string, error: unknown): Promise<string> {
  if (!(error instanceof Error)) {
    return `${file}: threw ${typeof error === 'string' ? error : showValue(error)}.`
  }
  if (isLocated(error)) return formatGraphQLErrors([error], file)
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION' && /\.[cm]?ts"/.test(error.message)) {
    return `${file}: Node ${process.versions.node} cannot load TypeScript. Use Node 22.18 or later, or compile the file first.`
  }
  const syntaxError = error instanceof SyntaxError ? await findSyntaxError(file, error) : undefined
  const place = syntaxError ?? stackLine(file, error.stack ?? '')
  return `${file}: ${error.name}: ${error.message}${place === undefined ? '' : `\n${place}`}`
}

/** The innermost call in the user's file, or else the innermost one outside Node and graphwire. */
function stackLine(file: string, stack: string): string | undefined {
  const path = resolve(file)
  const ours = packageFile('dist/src/').href
  const calls = stack.split('\n').filter((line) => /^\s+at .*:\d+:\d+\)?$/.test(line))
  return (
    calls.find((call) => call.includes(path) || call.includes(pathToFileURL(path).href)) ??
    calls.find((call) => !call.includes('node:') && !call.includes(ours))
  )
}

function isLocated(error: Error): error is GraphQLError {
  return 'locations' in error && 'source' in error && error.source !== undefined
}

/** Compiled modules have `__esModule` if their default export is one level deeper. */
function withoutInterop(exports: Exports): Exports {
  const inner = exports['default']
  const isInterop = typeof inner === 'object' && inner !== null && '__esModule' in inner
  return isInterop ? { ...inner } : exports
}

/**
 * File, line and caret of a module's syntax error. Node does not add them to the error, but prints
 * them when it ends a process. So a separate process imports the module again; code that
 * cannot be parsed or linked does not run.
 */
async function findSyntaxError(file: string, error: SyntaxError): Promise<string | undefined> {
  const stack = error.stack ?? ''
  const excerpt = headOf(stack)
  // JSON.parse and `new RegExp` throw such errors too, but with a line of code in the stack.
  if (excerpt !== undefined || !fromLoader(stack)) return excerpt
  const url = pathToFileURL(resolve(file)).href
  const script = ['--input-type=module', '--eval', `import ${JSON.stringify(url)}`]
  return new Promise((found) => {
    execFile(
      process.execPath,
      [...process.execArgv, ...script],
      { timeout: maxWaitMs, killSignal: 'SIGKILL', windowsHide: true },
      (_failed, _output, lastWords) => found(headOf(lastWords) ?? lineOf(lastWords)),
    )
  })
}

/** The lines above the name of the error: `file:line`, the line, a caret. */
function headOf(text: string): string | undefined {
  const head = /^(\S[^\n]*:\d+\n[^\n]*\n\s*\^+)\s*\n/m.exec(text)?.[1]
  return head?.replaceAll(/^/gm, '    ')
}

/** Only `file:line`, where the text ends too early: nothing stands there. */
function lineOf(text: string): string | undefined {
  return /^file:.*:\d+$/m.exec(text)?.[0].replace(/^/, '    ')
}

function fromLoader(stack: string): boolean {
  return /^\s+at [^\n]*\(?node:internal\/modules\//m.test(stack.split('\n')[1] ?? '')
}

/** The value in a JSON file that the user named. */
export async function readJsonFile(file: string): Promise<Outcome<unknown, CliError>> {
  const text = await readTextFile(file)
  return text.ok ? parseJson(file, text.value) : text
}

function parseJson(file: string, text: string): Outcome<unknown, CliError> {
  const fault = findJsonFault(text)
  if (fault === undefined) return { ok: true, value: JSON.parse(text) as unknown }
  const place = placeAt(file, text, fault.offset)
  return fail('configuration', formatFault(fault.message, [place]))
}

/** The values of the root fields, and the file that they come from. */
interface RootData {
  readonly file: string
  readonly text: string
  readonly json: { readonly [field: string]: unknown }
}

/** The root value in a JSON file. */
export async function loadData(file: string): Promise<Outcome<RootData, CliError>> {
  const text = await readTextFile(file)
  if (!text.ok) return text
  const parsed = parseJson(file, text.value)
  if (!parsed.ok) return parsed
  const json = parsed.value
  if (isJsonObject(json)) return { ok: true, value: { file, text: text.value, json } }
  const kind = Array.isArray(json) ? 'an array' : json === null ? 'null' : `a ${typeof json}`
  return fail('configuration', `${file}: expected a JSON object of root fields, got ${kind}.`)
}

/** The first value that no root field has, or else the first root field that must have a value and has none. */
export function findRootFault(
  { file, text, json }: RootData,
  schema: GraphQLSchema,
): string | undefined {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
  const fields = roots.flatMap((root) => Object.values(root?.getFields() ?? {}))
  const names = new Set(fields.map(({ name }) => name))
  const unknown = Object.keys(json).find((name) => !names.has(name))
  if (unknown !== undefined) {
    const message = `The schema has no root field ${showValue(unknown)}.${suggest(unknown, [...names])}`
    return formatFault(message, [placeAt(file, text, offsetOfMember(text, unknown))])
  }
  const queries = Object.values(schema.getQueryType()?.getFields() ?? {})
  const missing = queries.find(
    (field) =>
      String(field.type).endsWith('!') &&
      field.resolve === undefined &&
      (json[field.name] ?? null) === null,
  )
  if (missing === undefined) return undefined
  const message = `The root field ${missing.name} is ${String(missing.type)}, but has no value.`
  return formatFault(message, [placeAt(file, text, offsetOfMember(text, missing.name))])
}
