import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import type { Outcome } from '../../index.js'
import { fail, type CliError } from '../cli-error.js'
import { listenFailure } from './listen-failure.js'

/** Where connections come in. */
export interface Door {
  readonly origin: string
  /** Takes what has knocked already, then closes. */
  close(): Promise<void>
}

/** Where to listen, and who gets what. */
export interface DoorSettings {
  readonly host: string
  readonly port: number
  readonly onSocket: (socket: Socket) => void
  readonly report: (text: string) => void
}

const backlog = 4096
/** More turns of the loop than a queue of the system needs to be empty once. */
const maxLastTurns = 100

/** Listens without reading a byte of what comes in. */
export function openDoor(settings: DoorSettings): Promise<Outcome<Door, CliError>> {
  const { host, port, onSocket, report } = settings
  const server = createServer({ pauseOnConnect: true, noDelay: true }, onSocket)
  return new Promise((resolve) => {
    server.once('error', (error) =>
      resolve(listenFailure(host, port, error) ?? fail('configuration', error.message)),
    )
    server.listen({ host, port, backlog }, () => {
      server.on('error', ({ message }) => report(`a connection was lost: ${message}`))
      const name = host.includes(':') ? `[${host}]` : host
      resolve({
        ok: true,
        value: {
          origin: `http://${name}:${(server.address() as AddressInfo).port}`,
          close: () => close(server, onSocket),
        },
      })
    })
  })
}

/**
 * The system makes connections before we take them, and resets those that wait in its queue when the
 * listener closes. So the queue is emptied first, with as little work as possible in between.
 */
async function close(server: Server, onSocket: (socket: Socket) => void): Promise<void> {
  const last: Socket[] = []
  server.off('connection', onSocket)
  server.on('connection', (socket) => last.push(socket))
  let before = -1
  // The turn that we are in may have asked the system before we came here.
  await turn()
  for (let turns = 0; turns < maxLastTurns && before < last.length; turns++) {
    before = last.length
    await turn()
  }
  server.close()
  for (const socket of last) onSocket(socket)
}
