// oxfmt-ignore
import { field, isMap, mapOf, readJson, reply, refuse, request, result, status, when, withField, type Params, type When } from './around.js'
import type { DefectTable, Layers, Request } from './defect.js'

interface Part {
  readonly head: string
  readonly name: string
  readonly content: string
}

const boundaryOf = (given: Request): string | undefined =>
  /boundary=(\S+)/.exec(field(given, 'content-type') ?? '')?.[1]
const isMultipart: When = (given) =>
  field(given, 'content-type')?.startsWith('multipart/form-data') === true

/** The parts of a body, as Latin-1. */
function partsOf(given: Request): readonly Part[] {
  const pieces = `\r\n${given.body.toString('latin1')}`.split(`\r\n--${boundaryOf(given)}`)
  return pieces
    .filter((piece) => piece.startsWith('\r\n'))
    .map((piece) => {
      const [head = '', content = ''] = piece.split(/\r\n\r\n(.*)/s)
      return { head, name: / name="([^"]*)"/.exec(head)?.[1] ?? '', content }
    })
}

const partOf = (given: Request, name: string): Part | undefined =>
  partsOf(given).find((part) => part.name === name)
const textOf = (given: Request, name: string): string => partOf(given, name)?.content ?? ''
const mapPart = (given: Request): unknown => readJson(textOf(given, 'map'))
const mapped = (given: Request): Params => {
  const map = mapPart(given)
  return isMap(map) ? map : {}
}
const filesOf = (given: Request): readonly Part[] =>
  partsOf(given).filter(({ name }) => name !== 'map' && name !== 'operations')
const pathsOf = (given: Request): readonly string[] =>
  Object.values(mapped(given)).flat().map(String)
const isPath = (given: Request, path: string): boolean => {
  const parent = path
    .split('.')
    .slice(0, -1)
    .reduce<unknown>(
      (value, name) => (Object.hasOwn(Object(value), name) ? (value as Params)[name] : undefined),
      readJson(textOf(given, 'operations')),
    )
  return parent !== undefined && Object.hasOwn(Object(parent), path.split('.').at(-1) ?? '')
}

const refused = (code: number, test: When): Layers =>
  refuse(code, (given) => isMultipart(given) && test(given))
/** Takes a malformed request for some query. */
const taken = (test: When): Layers => {
  const around = () => reply(200, { data: { __typename: 'Mutation' } })
  return when((given) => isMultipart(given) && test(given), { around })
}

/** Changes what is said about the files. */
const files = (change: (file: Params, given: Request) => Params): Layers =>
  result(({ data, ...made }, given) => {
    const all = isMap(data) ? data['receiveFiles'] : undefined
    if (!Array.isArray(all)) return { data, ...made }
    const receiveFiles = (all as Params[]).map((file) => change(file, given))
    return { data: { receiveFiles }, ...made }
  })

/** Changes a part of the body as text. */
const text = (change: (body: string, given: Request) => string): Layers =>
  request((given) => {
    if (!isMultipart(given)) return undefined
    return { body: Buffer.from(change(given.body.toString('latin1'), given), 'latin1') }
  })

/** Sends the parts in the order that there should be. */
const sorted = text((own, given) => {
  const parts = partsOf(given)
  const place = ({ name }: Part): number => ['operations', 'map'].indexOf(name) >>> 0
  const ordered = parts.toSorted((a, b) => place(a) - place(b))
  const boundary = boundaryOf(given)
  return parts.length < 2
    ? own
    : `${ordered.map(({ head, content }) => `--${boundary}${head}\r\n\r\n${content}\r\n`).join('')}--${boundary}--\r\n`
})

/** Everything fails after a body that was cut off. */
function broken(): Layers {
  let isBroken = false
  return {
    wire: () => {
      let last = ''
      return {
        client: (bytes) => (last = bytes),
        closed: () => (isBroken ||= last.includes('form-data') && !last.endsWith('--\r\n')),
      }
    },
    around: (given, next) => (isBroken ? reply(500, {}) : next(given)),
  }
}

/** Defects in reading files. */
// oxfmt-ignore
export const uploadDefects: DefectTable = {
  'upload-bytes': ['The bytes of a file change.', 'upload.single upload.list', files((file) => ({ ...file, text: String(file['text']).toUpperCase() }))],
  'upload-list': ['The second file of a list replaces the first.', 'upload.list', text((own) => own.replace('files.1"', 'files.0"'))],
  'upload-batch': ['A batch may not have files.', 'upload.batch', refused(400, (given) => textOf(given, 'operations').startsWith('['))],
  'upload-shared': ['A file has only the first of its places.', 'upload.shared', text((own) => own.replace(/(: *\["[^"\]]*"),[^\]]*\]/, '$1]'))],
  'upload-empty': ['An empty file counts as missing.', 'upload.empty', refused(400, (given) => filesOf(given).some(({ content }) => content === ''))],
  'upload-large': ['A file of a megabyte is too large.', 'upload.large', refused(413, (given) => given.body.length > 1e6)],
  'upload-none': ['Without files, variables are dropped.', 'upload.none', when((given) => isMultipart(given) && filesOf(given).length === 0, text((own) => own.replace('"variables"', '"dropped"')))],
  'upload-name-latin1': ['The name of a file is read as Latin-1.', 'upload.name.unicode', files((file) => ({ ...file, name: Buffer.from(String(file['name'])).toString('latin1') }))],
  'upload-name-path': ['The name of a file keeps its path.', 'upload.name.path', files((file, given) => ({ ...file, name: /filename="([^"]*)"/.exec(filesOf(given)[0]?.head ?? '')?.[1] }))],
  'upload-parameters-type': ['operations may not have a Content-Type.', 'upload.parameters.type', refused(415, (given) => /content-type/i.test(partOf(given, 'operations')?.head ?? ''))],
  'upload-unmapped': ['A file that map does not name is refused.', 'upload.unmapped', refused(400, (given) => filesOf(given).some(({ name }) => !Object.hasOwn(mapped(given), name)))],
  'upload-unread': ['A file that no resolver reads is refused.', 'upload.unread', refused(422, (given) => textOf(given, 'operations').includes('ignoreFiles'))],
  'upload-missing': ['A file that does not come refuses the request.', 'upload.missing', refused(400, (given) => Object.keys(mapped(given)).some((name) => partOf(given, name) === undefined))],
  'upload-incomplete': ['The last boundary may be missing.', 'upload.incomplete', text((own, given) => (own.trimEnd().endsWith('--') ? own : `${own}\r\n--${boundaryOf(given)}--\r\n`))],
  'upload-not-a-file': ['A text may be the value of a file.', 'upload.not-a-file', when((given) => String(mapOf(given)['query']).includes('Upload'), status(422, 200))],
  'upload-order': ['The parts may come in any order.', 'upload.order.map-first upload.order.file-first', sorted],
  'upload-operations': ['operations may be missing.', 'upload.operations.missing', taken((given) => partOf(given, 'operations') === undefined)],
  'upload-map-missing': ['map may be missing.', 'upload.map.missing', taken((given) => partOf(given, 'map') === undefined)],
  'upload-broken': ['Broken JSON counts as a query.', 'upload.operations.broken upload.map.broken', taken((given) => readJson(textOf(given, 'operations')) === undefined || mapPart(given) === undefined)],
  'upload-map-list': ['map may be a list.', 'upload.map.list', taken((given) => Array.isArray(mapPart(given)))],
  'upload-map-texts': ['The paths of a file may be a text.', 'upload.map.texts', taken((given) => Object.values(mapped(given)).some((paths) => typeof paths === 'string'))],
  'upload-path': ['A path may lead nowhere.', 'upload.path.absent', taken((given) => pathsOf(given).some((path) => !isPath(given, path)))],
  'upload-prototype': ['A path may lead to a prototype.', 'upload.path.prototype upload.path.constructor', taken((given) => pathsOf(given).some((path) => /__proto__|constructor/.test(path)))],
  'upload-boundary': ['The boundary may be missing.', 'upload.boundary.missing', taken((given) => boundaryOf(given) === undefined)],
  'upload-csrf': ['A form of another site may have files.', 'upload.csrf', request((given) => withField(given, 'graphql-require-preflight', '1'))],
  'upload-no-limit': ['Any number of files is taken.', 'upload.limit.files', taken((given) => Object.keys(mapped(given)).length > 100)],
  'upload-cut': ['After a body that was cut off, everything fails.', 'upload.cut', broken],
}
