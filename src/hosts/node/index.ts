export { toNodeResponder } from './exchange/node-responder.js'
export { decoders } from './exchange/decoders.js'
export { createHostServer, listen } from './server/host-server.js'
export { mergeHeaders } from '../merge-headers.js'
export { serve } from './server/serve.js'
export { toNodeListener } from './exchange/listener.js'
export { untilSignal } from './server/until-signal.js'
export type { FrameworkRequest, NodeResponder, NodeResponse } from './exchange/node-responder.js'
export type { ConnectionOptions, ListenOptions } from './connection/connection-options.js'
export type { CloseOptions } from './server/close-options.js'
export type { CloseReport } from './server/drain.js'
export type { Incoming, Outgoing } from './exchange/incoming.js'
export type {
  DualListener,
  HostFigures,
  HostServer,
  Http1ConnectionOptions,
  Http1ListenOptions,
  Listening,
} from './server/host-server.js'
export type { NodeListener } from './exchange/listener.js'
export type { CurrentHeaders, HeaderField } from '../merge-headers.js'
export type { NodeHostOptions } from './exchange/node-host-options.js'
export type { Served, ServedFigures, ServeOptions } from './server/serve.js'
export type { Certificate, Http2Options, TlsOptions } from './connection/tls-options.js'
export type { SignalOptions } from './server/until-signal.js'
