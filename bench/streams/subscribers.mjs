import { once } from 'node:events'
import { connect } from 'node:net'
import { WebSocket } from 'ws'

const query = 'subscription { tick { id at text tags } }'

/** Opens so many subscriptions, each on a connection of its own; counts the results that they get. */
export async function openSubscribers(transport, port, count) {
  const counted = { results: 0 }
  const opened = []
  for (let at = 0; at < count; at += 50) {
    const some = Array.from({ length: Math.min(50, count - at) }, () =>
      open[transport](port, counted),
    )
    opened.push(...(await Promise.all(some)))
  }
  return {
    /** Waits until all subscribers together have got so many results more. */
    async receive(results, timeout = 20_000) {
      const goal = counted.results + results
      const deadline = Date.now() + timeout
      return async () => {
        while (counted.results < goal) {
          if (Date.now() > deadline) throw new Error(`${counted.results} of ${goal} results came`)
          await new Promise(setImmediate)
        }
      }
    },
    /** They read nothing any more. */
    pause() {
      for (const { pause } of opened) pause()
    },
    async close() {
      await Promise.all(opened.map(({ close }) => close()))
    },
  }
}

const open = {
  async sse(port, counted) {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    const body = JSON.stringify({ query })
    socket.write(
      'POST /graphql HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\n' +
        `Content-Length: ${body.length}\r\n\r\n${body}`,
    )
    // Each result has one such line; a chunk may end within it.
    let rest = ''
    socket.on('data', (chunk) => {
      const text = rest + chunk.toString('latin1')
      const parts = text.split('event: next')
      counted.results += parts.length - 1
      rest = parts.at(-1).slice(-10)
    })
    await once(socket, 'data')
    return {
      pause: () => socket.pause(),
      async close() {
        socket.destroy()
        if (!socket.closed) await once(socket, 'close')
      },
    }
  },
  async ws(port, counted) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws', {
      perMessageDeflate: false,
    })
    await once(socket, 'open')
    socket.send('{"type":"connection_init"}')
    await once(socket, 'message')
    socket.on('message', () => (counted.results += 1))
    socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }))
    return {
      pause: () => socket.pause(),
      async close() {
        socket.terminate()
        if (socket.readyState !== WebSocket.CLOSED) await once(socket, 'close')
      },
    }
  },
}
