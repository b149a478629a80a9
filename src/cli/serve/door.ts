import { createServer, type AddressInfo, type Socket } from 'node:net'
import { closeListener } from '../../hosts/node/close-listener.js'
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
          close: () => closeListener(server),
        },
      })
    })
  })
}
