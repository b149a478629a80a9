import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { GraphQLError, GraphQLSchema } from 'graphql'
import { packageFile } from '../../../base/package-file.js'
import { isJsonObject, showValue, suggest, type JsonObject } from '../../../shapes/index.js'
import { formatFault, formatGraphQLErrors, formatJsonError, placeAt } from './file-fault.js'
import { describeFileError, readTextFile } from '../../process/read-text-file.js'
import { fail, orFail } from '../../process/exit.js'
import type { DocumentSource } from '../../../index.js'
import { findManifestFault, readManifest } from '../../../persisted/manifest.js'

/** Imports a module of the user, and takes the first of two exports that it has. */
export async function importExport(
  file: string,
  ...[first, second]: readonly [string, string]
): Promise<{ readonly exported: unknown; readonly onClose: unknown }> {
  const path = resolve(file)
  await access(path).catch((error: unknown) =>
    fail('configuration', describeFileError(file, error)),
  )
  const describe = (error: unknown): string => describeThrown(file, error)
  const load = (): Promise<JsonObject> => import(pathToFileURL(path).href)
  const exports = withoutInterop(await orFail('configuration', load, describe))
  const exported = exports[first] ?? exports[second]
  if (exported !== undefined) return { exported, onClose: exports['onClose'] }
  const name = first === 'default' ? second : first
  const names = Object.keys(exports).join(', ') || 'no exports'
  const expected = `expected a default export, or one named ${name}`
  return fail('configuration', `${file}: ${expected}, got ${names}.`)
}

/** Describes what a user's module threw, with the line of the stack in their code. */
export function describeThrown(file: string, error: unknown): string {
  if (!(error instanceof Error)) {
    return `${file}: threw ${typeof error === 'string' ? error : showValue(error)}.`
  }
  if (isLocated(error)) return formatGraphQLErrors([error], file)
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION' && /\.[cm]?ts"/.test(error.message)) {
    return `${file}: Node ${process.versions.node} cannot load TypeScript. Use Node 22.18 or later, or compile the file first.`
  }
  const { name, message, stack = '' } = error
  // Node shows the line of a syntax error only where it ends a process.
  if (error instanceof SyntaxError && fromLoader(stack)) {
    return `${file}: ${name}: ${message}. Run \`node ${file}\` to see where.`
  }
  const place = stackLine(file, stack)
  return `${file}: ${name}: ${message}${place === undefined ? '' : `\n${place}`}`
}

/** JSON.parse and `new RegExp` throw such errors, too, but not from the loader of modules. */
function fromLoader(stack: string): boolean {
  return /^\s+at .*node:internal\/modules\//.test(/^\s+at .*/m.exec(stack)?.[0] ?? '')
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
function withoutInterop(exports: JsonObject): JsonObject {
  const inner = exports['default']
  const isInterop = typeof inner === 'object' && inner !== null && '__esModule' in inner
  return isInterop ? { ...inner } : exports
}

async function readJsonFile(file: string) {
  const text = await readTextFile(file)
  try {
    return { json: JSON.parse(text) as unknown, text }
  } catch (error) {
    return fail('configuration', formatJsonError(file, text, error as SyntaxError))
  }
}

/** The values of root fields; a schema that is made for each request is not known. */
export async function loadData(
  file: string,
  schema: GraphQLSchema | undefined,
): Promise<JsonObject> {
  const { json, text } = await readJsonFile(file)
  if (!isJsonObject(json)) {
    const found = showValue(json)
    fail('configuration', `${file}: expected a JSON object of root fields, got ${found}.`)
  }
  if (schema !== undefined) checkRoot(file, text, json, schema)
  return json
}

/** Refuses a value without a root field, and a root field that lacks a required value. */
function checkRoot(file: string, text: string, root: JsonObject, schema: GraphQLSchema): void {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
  const fields = roots.flatMap((type) => Object.values(type?.getFields() ?? {}))
  const names = fields.map(({ name }) => name)
  const unknown = Object.keys(root).find((name) => !names.includes(name))
  if (unknown !== undefined) {
    const message = `The schema has no root field ${showValue(unknown)}.${suggest(unknown, names)}`
    const place = placeAt(file, text, text.indexOf(JSON.stringify(unknown)))
    fail('configuration', formatFault(message, [place]))
  }
  const queries = Object.values(schema.getQueryType()?.getFields() ?? {})
  const missing = queries.find(({ name, type, resolve: own }) => {
    return String(type).endsWith('!') && own === undefined && (root[name] ?? null) === null
  })
  if (missing === undefined) return
  const type = String(missing.type)
  fail('configuration', `${file}: The root field ${missing.name} is ${type}, but has no value.`)
}

/** The texts of documents by their ids. */
export type Texts = ReadonlyMap<string, string>

/** The documents of manifests. Several clients have several manifests, in which an id must name the same text. */
export async function loadDocuments(files: readonly string[]): Promise<Texts> {
  const texts = new Map<string, string>()
  for (const file of files) {
    const { json } = await readJsonFile(file)
    const fault = findManifestFault(json, file)
    if (fault !== undefined) fail('configuration', fault)
    for (const [id, text] of readManifest(json as DocumentSource) ?? []) {
      if ((texts.get(id) ?? text) !== text) {
        const clash = `the id ${JSON.stringify(id)} names another document in an earlier file`
        fail('configuration', `${file}: ${clash}.`)
      }
      texts.set(id, text)
    }
  }
  return texts
}
