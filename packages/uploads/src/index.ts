import {
  failure,
  success,
  type Outcome,
  Shares,
  resolveNumbers,
  shapesOf,
  checkOptions,
  objectOf,
  headerNames,
  wholeNumberFrom,
} from 'graphwire/base'
import {
  contentCoding,
  parseMediaType,
  fieldValue,
  type HeaderList,
  type RequestHead,
} from 'graphwire/http'
import type { Refusal, UploadReader } from 'graphwire/surface/parts'
import { UploadReading } from './read-upload.js'
import { uploadRows, type UploadNumbers } from './upload-numbers.js'

export { uploadRows } from './upload-numbers.js'
export { IncomingFile, Upload, uploadScalar, type UploadedFile } from './upload.js'
export type { OpenUpload, UploadBody, UploadReader } from 'graphwire/surface/parts'

/** The options of `uploads`. */
export interface UploadOptions extends UploadNumbers {
  /** Header fields of which an upload must have at least one: a browser asks before it sends them to another site. Default: GraphQL-Require-Preflight, Apollo-Require-Preflight. */
  readonly headers?: readonly string[] | undefined
}

const usualHeaders = ['GraphQL-Require-Preflight', 'Apollo-Require-Preflight']

const uploadsShape = objectOf<UploadOptions>('{ maxFiles: 10 }', {
  ...shapesOf(uploadRows, wholeNumberFrom),
  headers: {
    ...headerNames,
    expected: 'a list of at least one header name',
    fits: (value) => Array.isArray(value) && value.length > 0,
  },
})

/** Makes the value of the option `uploads`: `createHandler({ schema, uploads: uploads() })`. */
export function uploads(options: UploadOptions = {}): UploadReader {
  checkOptions('uploads', options, uploadsShape)
  const { headers = usualHeaders, ...numbers } = options
  const limits = resolveNumbers(uploadRows, numbers)
  const { maxTotalBytes, timeout, maxConcurrent } = limits
  const names = headers.map((name) => name.toLowerCase())
  let open = 0
  let shares: Shares | undefined
  return {
    maxTotalBytes,
    timeout,
    checkHead: (head, maxBodyBytes) => checkUpload(head, names, maxBodyBytes + maxTotalBytes),
    read(body) {
      shares ??= new Shares(maxConcurrent, body.clientShare)
      if (open >= maxConcurrent || !shares.hasRoomFor(body.client)) return undefined
      open += 1
      const release = shares.take(body.client)
      return new UploadReading(body, limits, () => {
        open -= 1
        release()
      })
    },
  }
}

/**
 * The boundary between the parts of a body, or why the body is refused by its head; undefined for other bodies. A form of
 * any site can send files with the cookies of the visitor, so a header is required that a form cannot set.
 */
function checkUpload(
  { method, headers }: RequestHead,
  names: readonly string[],
  limit: number,
): Outcome<string, Refusal> | undefined {
  const boundary = method === 'POST' ? boundaryOf(headers) : undefined
  if (boundary === undefined) return undefined
  if (!names.some((name) => fieldValue(headers, name) !== undefined)) {
    return failure({ kind: 'header-missing', names, isUpload: true })
  }
  const coding = contentCoding(headers)
  if (coding !== undefined) {
    return failure({ kind: 'unsupported-encoding', coding, supported: [] })
  }
  if (boundary === '') {
    const problem = 'Content-Type needs one valid boundary'
    return failure({ kind: 'upload-malformed', problem })
  }
  const found = Number(fieldValue(headers, 'content-length') ?? 0)
  return found > limit
    ? failure({ kind: 'upload-too-large', of: 'files', limit, found })
    : success(boundary)
}

/** Undefined for other types than multipart/form-data, empty if it is missing or invalid. */
function boundaryOf(headers: HeaderList): string | undefined {
  const field = fieldValue(headers, 'content-type')
  const mediaType = field === undefined ? undefined : parseMediaType(field)
  if (mediaType?.type !== 'multipart' || mediaType.subtype !== 'form-data') return undefined
  const values = mediaType.parameters.filter(([name]) => name === 'boundary')
  const value = values[0]?.[1] ?? ''
  return values.length === 1 && aBoundary.test(value) ? value : ''
}

/** RFC 2046 section 5.1.1. */
const aBoundary = /^[\w'()+,\-./:=? ]{0,69}[\w'()+,\-./:=?]$/
