import { createServer, type AddressInfo } from 'node:net'

/**
 * A port that is free now. Workers share a listener by its number, so that with 0 the one that
 * replaces the last would get another port.
 */
export function findFreePort(host: string): Promise<number> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, host, () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
