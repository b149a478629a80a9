import { connect } from 'node:net'
import type { Target } from './target.js'

/** Thrown if no connection can be made to the target, so that there is nothing to report. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

/** Makes one connection and closes it; throws an UnreachableError if that fails. */
export function checkReachable(target: Target, timeout: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: target.hostname, port: target.port, timeout })
    const fail = (reason: string): void => {
      socket.destroy()
      reject(new UnreachableError(`${target.url} cannot be reached: ${reason}.`))
    }
    socket.once('connect', () => {
      socket.destroy()
      resolve()
    })
    socket.once('timeout', () => fail(`no connection within ${timeout} ms`))
    socket.once('error', (error) => fail(error.message === '' ? 'no connection' : error.message))
  })
}
