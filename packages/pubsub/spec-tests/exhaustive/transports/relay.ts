import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { Test } from 'tap'

/** A way to a service that can be cut and mended, since the service itself is shared. */
export interface Relay {
  readonly port: number
  connections(): number
  cut(): Promise<void>
  mend(): Promise<void>
}

/** Undefined where no service listens at the port, and none has to. Answers come `delay` milliseconds later. */
export async function relayTo(
  t: Test,
  service: string,
  port: number,
  delay = 0,
): Promise<Relay | undefined> {
  const fault = await findFault(port)
  if (fault !== undefined) {
    if (process.env['GRAPHWIRE_REQUIRE_SERVICES'] !== undefined) throw fault
    t.comment(`SKIPPED, since there is no ${service} at port ${port}: ${fault.message}`)
    return undefined
  }
  return startRelay(t, port, delay)
}

function findFault(port: number): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(undefined)
    })
    socket.on('error', resolve)
  })
}

async function startRelay(t: Test, servicePort: number, delay: number): Promise<Relay> {
  const sockets = new Set<Socket>()
  const relay = createServer((near) => {
    const far = connect(servicePort, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far)
    if (delay === 0) far.pipe(near)
    else far.on('data', (answer) => void setTimeout(() => near.write(answer), delay))
  })
  const start = (port: number): Promise<void> =>
    new Promise((resolve) => relay.listen(port, '127.0.0.1', resolve))
  await start(0)
  const { port } = relay.address() as AddressInfo
  const cut = (): Promise<void> =>
    new Promise((resolve) => {
      relay.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  t.teardown(cut)
  return { port, connections: () => sockets.size / 2, cut, mend: () => start(port) }
}
