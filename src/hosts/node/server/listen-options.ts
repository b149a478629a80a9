import {
  count,
  resolveNumbers,
  shapesOf,
  type NumberRows,
  type Resolved,
} from '../../../shapes/number-row.js'
import type { Shapes } from '../../../shapes/shape.js'
import { aString, wholeNumberFrom } from '../../../shapes/shapes.js'
import {
  connectionShapes,
  resolveConnectionOptions,
  type ConnectionOptions,
  type ConnectionSettings,
} from '../connection/connection-options.js'

/** The port, and how many connections may wait there. */
export interface ListenNumbers {
  /** Port to listen on; 0 picks a free one. At most 65535. Default: 4000. */
  readonly port?: number | undefined
  /** Maximum number of new connections that the system queues. Default: 4,096. */
  readonly backlog?: number | undefined
}

/** Where to listen, and how to treat connections. */
export interface ListenOptions extends ConnectionOptions, ListenNumbers {
  /** The address to listen on. Default: 'localhost'. */
  readonly host?: string | undefined
}

export interface ListenSettings extends ConnectionSettings, Resolved<ListenNumbers> {
  readonly host: string
}

export const listenRows: NumberRows<ListenNumbers> = {
  port: count(4000, {
    doc: 'Port to listen on; 0 picks a free one.',
    least: 0,
    most: 65_535,
    flag: 'port',
  }),
  backlog: count(4096, {
    doc: 'Maximum number of new connections that the system queues.',
    why: 'a burst of new connections is queued and not dropped',
  }),
}

export const listenShapes: Shapes<ListenOptions> = {
  ...connectionShapes,
  ...shapesOf(listenRows, wholeNumberFrom),
  host: aString,
}

/** Fills in the defaults of options that have been checked one by one; throws a TypeError if two of them contradict. */
export function resolveListenOptions(caller: string, options: ListenOptions): ListenSettings {
  const { host = 'localhost' } = options
  return {
    ...resolveConnectionOptions(caller, options),
    ...resolveNumbers<ListenNumbers>(listenRows, options),
    host,
  }
}
