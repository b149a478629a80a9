import { connect } from 'node:net'

/** Longer than this nothing here takes, on a slow machine too. */
const patience = 20_000

/** Sends bytes, in two pieces where `split` says so, ends its own half and gives all that comes back. */
export function rawExchange(port: number, bytes: Buffer, split?: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`No end after ${patience} ms.`))
    }, patience)
    socket.setNoDelay(true)
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('end', () => socket.end())
    // A server that closes while bytes are on their way resets the connection.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(Buffer.concat(chunks))
    })
    socket.on('connect', () => {
      if (split === undefined) return socket.end(bytes)
      const rest = () => socket.end(bytes.subarray(split))
      return socket.write(bytes.subarray(0, split), () => setImmediate(rest))
    })
  })
}
