import {
  resolveNumbers,
  shapesOf,
  type NumberRows,
  type Resolved,
} from '../../../shapes/number-row.js'
import type { Shapes } from '../../../shapes/shape.js'
import { maxInt32, wholeNumberFrom } from '../../../shapes/shapes.js'

/** The limits of an HTTP/2 connection. */
export interface Http2Options {
  /** Maximum number of open requests on a connection. Default: 100. */
  readonly maxConcurrentStreams?: number | undefined
  /** Maximum memory of a connection for open requests, unsent responses and tables, in MiB. At most 4,096. Default: 32. */
  readonly maxSessionMemory?: number | undefined
  /** Maximum number of invalid frames on a connection. Default: 100. */
  readonly maxSessionInvalidFrames?: number | undefined
  /** Maximum number of refused requests on a connection. Default: 100. */
  readonly maxSessionRejectedStreams?: number | undefined
  /** Maximum number of entries in a SETTINGS frame. At most 10,000. Default: 32. */
  readonly maxSettings?: number | undefined
}

/** The options with all defaults filled in. */
export type Http2Settings = Resolved<Http2Options>

/** The numeric options of HTTP/2. To add one, add a row. */
export const http2Rows: NumberRows<Http2Options> = {
  maxConcurrentStreams: {
    doc: 'Maximum number of open requests on a connection.',
    default: 100,
    least: 1,
    most: maxInt32,
    refusal: 'REFUSED_STREAM',
    why: 'one connection must not take the place of thousands',
  },
  maxSessionMemory: {
    doc: 'Maximum memory of a connection for open requests, unsent responses and tables.',
    default: 32,
    least: 1,
    most: 4096,
    unit: 'MiB',
    refusal: 'new requests are refused',
    why: 'floods of frames cost little to send',
  },
  maxSessionInvalidFrames: {
    doc: 'Maximum number of invalid frames on a connection.',
    default: 100,
    least: 1,
    most: maxInt32,
    refusal: 'the connection is closed',
    why: 'each costs the client little and the server time',
  },
  maxSessionRejectedStreams: {
    doc: 'Maximum number of refused requests on a connection.',
    default: 100,
    least: 1,
    most: maxInt32,
    refusal: 'the connection is closed',
    why: 'a client that goes on after refusals costs time and gets nothing done',
  },
  maxSettings: {
    doc: 'Maximum number of entries in a SETTINGS frame.',
    default: 32,
    least: 1,
    most: 10_000,
    refusal: 'the connection is closed',
    why: 'a large frame of settings costs little to send',
  },
}

/** The valid values of each option. */
export const http2Shapes: Shapes<Http2Options> = shapesOf(http2Rows, wholeNumberFrom)

/** Fills in the defaults of options that have been checked. */
export function resolveHttp2Options(options: Http2Options): Http2Settings {
  return resolveNumbers<Http2Options>(http2Rows, options)
}
