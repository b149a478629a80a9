import { isJsonObject, failure, success, type Outcome } from 'graphwire/base'
import { type Refusal, readJson } from 'graphwire/surface/parts'
import { IncomingFile } from './upload.js'

/** The two parts before the files, and their limits. */
export interface UploadParameters {
  readonly operations: Uint8Array
  readonly map: Uint8Array
  readonly maxFiles: number
  readonly maxJsonNesting: number
  /** Called when a file is wanted. */
  readonly onDemand: () => void
}

/** The parameters of the request, with an `Upload` in the place of each file. */
export interface Placed {
  readonly json: unknown
  /** By the names of their parts, in the order of the map. */
  readonly files: ReadonlyMap<string, IncomingFile>
}

/** Puts an `Upload` wherever the map names a place. Only what is null in the variables can be replaced. */
export function placeFiles({
  operations,
  map,
  maxFiles: limit,
  maxJsonNesting,
  onDemand,
}: UploadParameters): Outcome<Placed, Refusal> {
  const json = readPart(operations, 'operations', maxJsonNesting)
  if (!json.ok) return json
  const places = readPart(map, 'map', maxJsonNesting)
  if (!places.ok) return places
  if (!isJsonObject(places.value)) return failure(notAMap)
  const entries = Object.entries(places.value)
  const found = entries.length
  if (found > limit) return failure({ kind: 'too-many-files', limit, found })
  const files = new Map<string, IncomingFile>()
  for (const [name, paths] of entries) {
    if (!Array.isArray(paths)) return failure(notAMap)
    const file = new IncomingFile(onDemand)
    for (const path of paths as unknown[]) {
      if (typeof path !== 'string') return failure(notAMap)
      if (!put(file, json.value, path)) return failure({ kind: 'upload-path', path })
    }
    files.set(name, file)
  }
  return success({ json: json.value, files })
}

const notAMap: Refusal = {
  kind: 'invalid-parameter',
  name: 'map',
  expected: 'a JSON object with a list of paths for each file',
}

function readPart(bytes: Uint8Array, name: string, limit: number): Outcome<unknown, Refusal> {
  try {
    return readJson(utf8.decode(bytes), name, limit)
  } catch {
    return failure({ kind: 'invalid-utf-8' })
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** `variables.files.0`, or `1.variables.file` in a batch. */
const ofVariables = /^(?:\d+\.)?variables\./

/** Whether the path leads to null, by own members alone: a client must not reach a prototype. */
function put({ upload }: IncomingFile, json: unknown, path: string): boolean {
  if (!ofVariables.test(path)) return false
  const names = path.split('.')
  const last = names.pop() as string
  let parent: unknown = json
  for (const name of names) parent = memberOf(parent, name)
  if (memberOf(parent, last) !== null) return false
  ;(parent as { [name: string]: unknown })[last] = upload
  return true
}

function memberOf(parent: unknown, name: string): unknown {
  const isContainer = isJsonObject(parent) || (Array.isArray(parent) && /^\d+$/.test(name))
  if (!isContainer || name === '__proto__' || !Object.hasOwn(parent, name)) return undefined
  return (parent as { readonly [name: string]: unknown })[name]
}
