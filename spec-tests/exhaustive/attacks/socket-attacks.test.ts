import { setTimeout as pause } from 'node:timers/promises'
import { encodeFrame, opcodes } from '../../../src/conformance/wire/web-socket/frames.js'
import { init, RawWebSocket, subscribe, text } from '../hosts/node/websocket/raw-web-socket.js'
import type { Frame } from '../hosts/node/websocket/raw-web-socket.js'
import { runAttacks, type Attack } from './run-attacks.js'

const control = (opcode: number): Frame => ({ opcode, payload: Buffer.alloc(4) })

// oxfmt-ignore
const floods: readonly [title: string, isReady: boolean, frames: readonly Frame[]][] = [
  ['ping frames before init', false, [control(opcodes.ping)]],
  ['ping frames',             true,  [control(opcodes.ping)]],
  ['pong frames',             true,  [control(opcodes.pong)]],
  ['pings within fragments',  true,  [{ ...text('"'), fin: false }, control(opcodes.ping)]],
  ['pings as messages',       true,  [text({ type: 'ping' })]],
  ['messages that are no JSON', true, [{ opcode: opcodes.text, payload: Buffer.from('x') }]],
  ['binary messages', false,        [control(opcodes.binary)]],
  ['subscribes',              true,  [text(subscribe('1', '{ hello }')), text({ type: 'complete', id: '1' })]],
]

/** Floods over a socket, and again over the next one when it is cut, until the time is over. */
async function flood(port: number, isReady: boolean, bytes: Buffer, end: number): Promise<number> {
  let sockets = 0
  while (performance.now() < end) {
    const raw = await RawWebSocket.open(port)
    sockets += 1
    if (isReady) raw.tell(init)
    while (performance.now() < end && raw.socket.writable) {
      const isFull = !raw.socket.write(bytes)
      await pause(isFull ? 5 : 0)
    }
    raw.socket.destroy()
    // A socket that is cut at once would make this an attack by handshakes.
    await pause(20)
  }
  return sockets
}

const attacks = floods.map(([title, isReady, frames]): Attack => {
  const bytes = Buffer.concat(
    Array.from({ length: 5000 }, () => Buffer.concat(frames.map(encodeFrame))),
  )
  return {
    name: `5 sockets that flood ${title}`,
    hangMs: 1500,
    async run(t, { port }) {
      const end = performance.now() + 2000
      const counts = await Promise.all(
        Array.from({ length: 5 }, () => flood(port, isReady, bytes, end)),
      )
      t.comment(`${counts.join(', ')} sockets`)
      t.ok(Math.min(...counts) > 1, 'a socket that goes on is cut')
    },
  }
})

runAttacks('sockets', attacks, { words: ['--websocket'] })
