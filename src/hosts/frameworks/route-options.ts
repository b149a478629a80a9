import type { Shapes } from '../../shapes/shape.js'
import { absolutePath } from '../../shapes/shapes.js'
import { nodeHostShapes, type NodeHostOptions } from '../node/exchange/node-host-options.js'

/** The options of a route in a framework. */
export interface RouteOptions extends NodeHostOptions {
  /** The path to serve, without the prefix of a router. Default: '/graphql'. */
  readonly path?: string | undefined
}

export const routeShapes: Shapes<RouteOptions> = { ...nodeHostShapes, path: absolutePath }

export const defaultPath = '/graphql'
