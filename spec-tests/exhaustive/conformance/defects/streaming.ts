import { listDefects, type Transformation } from './defect.js'
import { frameDefects } from './frame-defects.js'
import { singleMode } from './single-mode.js'
import { socketDefects } from './socket-defects.js'
import { startServer, type RunningServer } from './start-server.js'
import { incrementalDefects, multipartDefects } from './parts-defects.js'
import { singleDefects, sseDefects } from './stream-defects.js'

/** The defects that the suites of streams and sockets must find, by transport. */
export const streamDefects = listDefects(
  sseDefects,
  singleDefects,
  frameDefects,
  socketDefects,
  incrementalDefects,
  multipartDefects,
)

/** Starts a server with every transport. It does not wait long for what must not come. */
export function startStreamingServer(transformation?: Transformation): Promise<RunningServer> {
  const options = { heartbeat: 1000, websocket: { connectionInitTimeout: 1000 } }
  return startServer(transformation, options, [singleMode()])
}
