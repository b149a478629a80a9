export { answerNodeRequest, toNodeListener } from './listener.js'
export { serve } from './serve.js'
export type { Incoming, NodeListener, Outgoing } from './listener.js'
export type { Served, ServeOptions } from './serve.js'
