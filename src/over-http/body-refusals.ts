import type { HeaderList } from '../http/message.js'
import { acceptQuery } from './methods.js'
import { quote, sizes, type RefusalRows } from './refusal-row.js'

/** What can be wrong with a body, and with parameters wherever they are. */
export type BodyRefusal =
  | {
      readonly kind: 'unsupported-encoding'
      readonly coding: string
      readonly supported: readonly string[]
    }
  | { readonly kind: 'broken-encoding'; readonly coding: string }
  | { readonly kind: 'unsupported-media-type'; readonly mediaType: string | undefined }
  | { readonly kind: 'unsupported-charset'; readonly charset: string }
  | { readonly kind: 'content-on-get'; readonly mediaType: string }
  | {
      readonly kind: 'body-too-large'
      readonly limit: number
      readonly found?: number
      readonly isDecompressed?: boolean
    }
  | { readonly kind: 'document-too-long'; readonly limit: number; readonly found: number }
  | { readonly kind: 'invalid-utf-8' }
  | { readonly kind: 'invalid-json'; readonly where: string; readonly detail: string }
  | { readonly kind: 'json-too-deep'; readonly where: string; readonly limit: number }
  | {
      readonly kind: 'invalid-parameter'
      readonly name: string
      /** Undefined if a required parameter is missing. */
      readonly expected: string | undefined
    }
  | { readonly kind: 'batching-not-supported' }
  | { readonly kind: 'batch-empty' }
  | { readonly kind: 'batch-too-long'; readonly limit: number; readonly found: number }
  | {
      readonly kind: 'batch-too-expensive'
      readonly of: 'cost' | 'introspection'
      readonly limit: number
      readonly found: number
    }
  | { readonly kind: 'not-in-batch'; readonly what: 'subscription' | 'parts' }
  | { readonly kind: 'not-over-websocket'; readonly type: 'query' | 'mutation' }
  | { readonly kind: 'upload-malformed'; readonly problem: string }
  | { readonly kind: 'upload-path'; readonly path: string }
  | { readonly kind: 'too-many-files'; readonly limit: number; readonly found: number }
  | {
      readonly kind: 'upload-too-large'
      readonly of: 'parameters' | 'files'
      readonly limit: number
      readonly found?: number
    }

const acceptsJson: HeaderList = ['Accept', 'application/json', ...acceptQuery]

export const bodyRefusals: RefusalRows<BodyRefusal> = {
  'content-on-get': {
    status: 415,
    message: ({ mediaType }) =>
      `A GET cannot have the Content-Type ${quote(mediaType)}: omit it, or use POST.`,
    doc: ['A GET has a `Content-Type` that is not JSON.', 'Omit it.'],
  },
  'unsupported-media-type': {
    status: 415,
    message: ({ mediaType }) =>
      mediaType === undefined
        ? 'Content-Type is missing: send application/json.'
        : `The Content-Type ${quote(mediaType)} is not supported: send application/json.`,
    headers: () => acceptsJson,
    doc: ['`Content-Type` is not JSON.', 'Send `application/json`.'],
  },
  'unsupported-charset': {
    status: 415,
    message: ({ charset }) => `The charset ${quote(charset)} is not supported: send UTF-8.`,
    headers: () => acceptsJson,
    doc: ['`Content-Type` has a charset other than UTF-8.', 'Send UTF-8.'],
  },
  'unsupported-encoding': {
    status: 415,
    message: ({ coding, supported }) =>
      `The Content-Encoding ${quote(coding)} is not supported: send the body ${['uncompressed', ...supported].join(' or ')}.`,
    headers: ({ supported }) => [
      'Accept-Encoding',
      [...supported, 'identity'].join(', '),
      ...acceptQuery,
    ],
    doc: [
      'The server cannot decompress the body.',
      "Use a coding from the response's `Accept-Encoding`.",
    ],
  },
  'broken-encoding': {
    status: 400,
    message: ({ coding }) => `The body is not valid ${coding}, or is truncated.`,
    doc: ['The body cannot be decompressed.', 'Check the compression.'],
  },
  'body-too-large': {
    status: 413,
    message: ({ limit, found, isDecompressed }) =>
      found === undefined
        ? `The body${isDecompressed ? ', decompressed,' : ''} is larger than the limit of ${limit} bytes.`
        : `The body has ${found} bytes, more than the limit of ${limit}.`,
    details: sizes,
    doc: ['The body is larger than `maxBodyBytes`.', 'Send less at once.'],
  },
  'document-too-long': {
    status: 413,
    message: ({ limit, found }) =>
      `The document has ${found} characters, more than the limit of ${limit}.`,
    details: sizes,
    doc: [
      'The document is longer than `maxDocumentLength`.',
      'Send a shorter document; put large values in variables.',
    ],
  },
  'invalid-utf-8': {
    status: 400,
    message: 'The body is not well-formed UTF-8.',
    doc: ['The body is not UTF-8.', 'Send UTF-8.'],
  },
  'invalid-json': {
    status: 400,
    message: ({ where, detail }) => `${placeOf(where)} is not valid JSON: ${detail}.`,
    doc: ['The body or a parameter is not JSON.', 'Send JSON.'],
  },
  'json-too-deep': {
    status: 400,
    message: ({ where, limit }) =>
      `${placeOf(where)} nests deeper than the limit of ${limit} levels.`,
    details: sizes,
    doc: ['JSON is deeper than `maxJsonNesting`.', 'Flatten the variables.'],
  },
  'invalid-parameter': {
    status: (_, { malformed }) => malformed,
    message: ({ name, expected }) =>
      expected === undefined
        ? `${placeOf(name)} is missing.`
        : `${placeOf(name)} must be ${expected}.`,
    doc: [
      'A parameter is missing or of the wrong type.',
      'Send `query` as a string, `variables` as an object.',
    ],
  },
  'batching-not-supported': {
    status: (_, { malformed }) => malformed,
    message:
      'The body is a list, but batching is not supported: send one request as a JSON object.',
    doc: [
      'A JSON array where `batch` is not set, by QUERY, or over a WebSocket.',
      'Send requests one by one.',
    ],
  },
  'batch-empty': {
    status: (_, { malformed }) => malformed,
    message: 'The list of requests is empty: send at least one request.',
    doc: ['The body is an empty JSON array.', 'Send at least one request.'],
  },
  'batch-too-long': {
    status: 413,
    message: ({ limit, found }) =>
      `The batch has ${found} operations, more than the limit of ${limit}: send several batches.`,
    details: sizes,
    doc: ['A batch has more operations than `batch.maxOperations`.', 'Send several batches.'],
  },
  'batch-too-expensive': {
    status: (_, { malformed }) => malformed,
    message: ({ of, limit, found }) =>
      `${of === 'cost' ? 'The operations of the batch cost' : 'The introspection in the batch has size'} ${found}, ` +
      `more than the limit of ${limit}: send several batches.`,
    details: sizes,
    doc: [
      'The operations of a batch cost more than `batch.maxCost`, or get more introspection than `maxIntrospectionSize`. None was run.',
      'Send several batches.',
    ],
  },
  'not-in-batch': {
    status: (_, { malformed }) => malformed,
    message: ({ what }) =>
      what === 'subscription'
        ? 'A subscription cannot be part of a batch: send it on its own.'
        : 'An operation with @defer or @stream cannot be part of a batch: send it on its own.',
    doc: [
      'An entry of a batch has a subscription, or an active `@defer` or `@stream`.',
      'Send it on its own.',
    ],
  },
  'not-over-websocket': {
    status: (_, { malformed }) => malformed,
    message: ({ type }) =>
      `Only subscriptions are served over WebSockets: send the ${type} by POST.`,
    doc: [
      'A query or mutation over a WebSocket where `webSocketOperations` is `subscriptions`.',
      'Send it by POST.',
    ],
  },
  'upload-malformed': {
    status: 400,
    message: ({ problem }) => `The multipart body is malformed: ${problem}.`,
    doc: [
      'A multipart body is incomplete, or does not begin with `operations` and `map`.',
      'Follow the GraphQL multipart request specification.',
    ],
  },
  'upload-path': {
    status: (_, { malformed }) => malformed,
    message: ({ path }) => `The map points to ${quote(path)}, which is not null in the variables.`,
    doc: [
      '`map` has a path that does not lead to a null in `variables`.',
      'Put null where each file belongs.',
    ],
  },
  'too-many-files': {
    status: 413,
    message: ({ limit, found }) =>
      `The request has ${found} files, more than the limit of ${limit}.`,
    details: sizes,
    doc: ['There are more files than `uploads.maxFiles`.', 'Send several requests.'],
  },
  'upload-too-large': {
    status: 413,
    message: ({ of, limit, found }) =>
      found === undefined
        ? `The ${of} are larger than the limit of ${limit} bytes.`
        : `The body has ${found} bytes, more than the limit of ${limit}.`,
    details: sizes,
    doc: [
      '`operations` and `map` are larger than `maxBodyBytes`, or the files larger than `uploads.maxTotalBytes`.',
      'Send less at once.',
    ],
  },
}

function placeOf(where: string): string {
  if (where === 'body') return 'The body'
  return where === 'entry' ? 'An entry of the batch' : `The parameter "${where}"`
}
