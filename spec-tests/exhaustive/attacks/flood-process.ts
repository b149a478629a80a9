import { connect } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'

// A process of its own, so that its work does not delay the probes.
const [, , port, reading] = process.argv
const bytesPerMs = 3000
const piece = 'GET /x HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2000)
const end = performance.now() + 5000

while (performance.now() < end) {
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
  if (reading === 'read') socket.resume()
  const start = performance.now()
  for (let sent = 0; !socket.destroyed && performance.now() < end;) {
    const due = (performance.now() - start) * bytesPerMs
    for (; sent < due && !socket.writableNeedDrain; sent += piece.length) socket.write(piece)
    await pause(5)
  }
  socket.destroy()
}
