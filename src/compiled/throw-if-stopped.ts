import { handleUnread } from '../graphql/execute/handle-unread.js'
import type { Run } from './run.js'

/**
 * graphql 16 knows no signals, so this is asked for each object and each item of a list. The promises in what
 * is then not read are handled, or they would end the process by rejecting.
 */
export function throwIfStopped({ stop }: Run, unread: unknown): void {
  if (stop === undefined || !stop.aborted) return
  handleUnread(unread)
  throw stop.reason
}
