import type { Call, Params } from './call.js'
import type { Has } from './defects.js'

/** A file, as the value of a variable. */
export class ReceivedFile {
  readonly name: string
  readonly mediaType: string
  readonly size: number
  readonly text: string | null

  constructor({ filename, type, content }: Part, has: Has) {
    this.name = filename
    this.mediaType = type
    this.size = content.byteLength
    const text = content.toString()
    this.text = this.size > 1000 ? null : has('upload-bytes') ? text.toUpperCase() : text
  }
}

interface Part {
  readonly name: string
  readonly filename: string
  readonly type: string
  readonly content: Buffer
}

/** The parameters of a multipart request with its files, or the status of a malformed one. */
export function readUpload(call: Call, has: Has): Params | readonly unknown[] | number {
  if (call.body.byteLength > 1e6 && has('upload-large')) return 413
  const boundary = /boundary=(\S+)/.exec(call.headers['content-type'] ?? '')?.[1]
  if (boundary === undefined) return has('upload-boundary') ? { query: '{ __typename }' } : 400
  const parts = splitParts(call.body.toString('latin1'), boundary, has)
  const [operations, map, ...files] = has('upload-order') ? sorted(parts) : parts
  if (operations?.name !== 'operations') return has('upload-operations') ? fallback : 400
  if (map?.name !== 'map' && !has('upload-map-missing')) return 400
  if (has('upload-parameters-type') && operations.type !== 'none') return 415
  try {
    const json = JSON.parse(operations.content.toString()) as Params
    const paths = map?.name === 'map' ? readMap(map.content.toString(), has) : {}
    if (paths === undefined) return 400
    const isFull = Object.keys(paths).length > 100 && !has('upload-no-limit')
    return isFull ? 413 : putAll(json, paths, files, has)
  } catch {
    return has('upload-broken') ? fallback : 400
  }
}

const fallback: Params = { query: '{ __typename }' }

function sorted(parts: readonly Part[]): readonly Part[] {
  const place = ({ name }: Part): number => ['operations', 'map'].indexOf(name) >>> 0
  return parts.toSorted((a, b) => place(a) - place(b))
}

function splitParts(text: string, boundary: string, has: Has): readonly Part[] {
  const pieces = `\r\n${text}`.split(`\r\n--${boundary}`)
  // The last piece is behind the last boundary; a file without one behind it is not complete.
  const whole = has('upload-incomplete') ? pieces.slice(1) : pieces.slice(1, -1)
  return whole.filter((piece) => piece.startsWith('\r\n')).map((piece) => toPart(piece, has))
}

function toPart(piece: string, has: Has): Part {
  const end = piece.indexOf('\r\n\r\n')
  const head = Buffer.from(piece.slice(0, end), 'latin1').toString(
    has('upload-name-latin1') ? 'latin1' : 'utf8',
  )
  const path = /filename="([^"]*)"/.exec(head)?.[1] ?? ''
  return {
    name: / name="([^"]*)"/.exec(head)?.[1] ?? '',
    filename: has('upload-name-path') ? path : (path.split(/[/\\]/).at(-1) ?? ''),
    type: /content-type: (\S+)/i.exec(head)?.[1] ?? 'none',
    content: Buffer.from(piece.slice(end + 4), 'latin1'),
  }
}

type Paths = Readonly<Record<string, readonly string[]>>

function readMap(text: string, has: Has): Paths | undefined {
  const map = JSON.parse(text) as Paths
  if (Array.isArray(map) && !has('upload-map-list')) return undefined
  const isOfLists = Object.values(map).every(Array.isArray)
  return isOfLists || has('upload-map-texts') ? map : undefined
}

function putAll(
  json: Params,
  paths: Paths,
  files: readonly Part[],
  has: Has,
): Params | readonly unknown[] | number {
  if (Array.isArray(json) && has('upload-batch')) return 400
  const isEmpty = Object.keys(paths).length === 0
  if (isEmpty && has('upload-none')) return { query: json['query'] }
  for (const part of files) {
    if (!Object.hasOwn(paths, part.name) && has('upload-unmapped')) return 400
  }
  for (const [name, named] of Object.entries(paths)) {
    const part = files.find((one) => one.name === name)
    const list = has('upload-shared') ? [named].flat().slice(0, 1) : [named].flat()
    const isDropped = part?.content.byteLength === 0 && has('upload-empty')
    const file = part === undefined || isDropped ? undefined : new ReceivedFile(part, has)
    if (file === undefined && has('upload-missing')) return 400
    for (const path of list) {
      if (!put(json, path.split('.'), file, has)) return 422
    }
  }
  return json
}

function put(json: unknown, path: string[], file: ReceivedFile | undefined, has: Has): boolean {
  const last = path.pop() ?? ''
  let parent = json
  for (const name of path) {
    const isOwn = Object.hasOwn(Object(parent), name)
    if (!isOwn && !has('upload-prototype')) return has('upload-path')
    parent = (parent as Params | undefined)?.[name]
  }
  const target = Object(parent) as Record<string, unknown>
  const isPlace = target[last] === null || has('upload-path') || has('upload-prototype')
  const at = has('upload-list') && last === '1' ? '0' : last
  // Nothing here must reach the prototypes of the tests.
  if (isPlace && target !== Object.prototype) target[at] = file ?? new Error('It has not come.')
  return isPlace
}
