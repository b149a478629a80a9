import { createEndpoint, type Options } from '../../src/index.js'

const head = { method: 'GET', target: '/', headers: [], raw: undefined }

/** What an operation sends over a socket: its results, and in the end `complete`, or `error` and the errors. */
export function overSocket(options: Options, payload: object): Promise<readonly string[]> {
  const { operations } = createEndpoint(options)
  const log: string[] = []
  return new Promise((resolve) => {
    const end = (text: string): void => resolve([...log, text])
    const next = (text: string): boolean => log.push(text) > 0
    const error = (text: string): void => end(`error ${text}`)
    const outlet = { next, complete: () => end('complete'), error }
    operations.start({ head, principal: undefined }, payload, outlet)
  })
}
