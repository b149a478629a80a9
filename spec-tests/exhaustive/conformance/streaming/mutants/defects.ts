import type { DefectTable } from '../../mutants/defects.js'
import { incrementalDefects, multipartDefects } from './multipart-defects.js'
import { singleDefects, sseDefects } from './sse-defects.js'
import { frameDefects, socketDefects } from './ws-defects.js'

const all = {
  ...sseDefects,
  ...singleDefects,
  ...frameDefects,
  ...socketDefects,
  ...incrementalDefects,
  ...multipartDefects,
}

/** A use of multipart/mixed that is not the protocol of Apollo, and so no defect. */
type OtherProtocol = 'mps-other-protocol'

/** The name of a defect of the streaming server, or of what looks like one. */
export type StreamDefectName = keyof typeof all | OtherProtocol

/** Whether the server has a defect. */
export type HasStreamDefect = (name: StreamDefectName) => boolean

/** A defect, and the cases that must notice it. */
export interface StreamDefect {
  readonly name: StreamDefectName
  readonly says: string
  readonly noticedBy: readonly string[]
}

/** Every defect, by transport. */
export const streamDefects: readonly StreamDefect[] = Object.entries(all as DefectTable).map(
  ([name, [says, ...noticedBy]]) => ({ name: name as StreamDefectName, says, noticedBy }),
)
