// Runs inside the browser: plays the scenes of the test, all at once, and gives what EventSource and WebSocket saw.
globalThis.run = (plan) => {
  const scenes = { events, many, socket }
  return Promise.all(plan.map(({ scene, ...rest }) => scenes[scene](rest)))
}

function openSource(query) {
  return new EventSource(`/graphql?${new URLSearchParams({ query })}`)
}

/**
 * The events until the end of the subscription, and how often the connection was opened; once it has seen the event `cutAt`, it
 * asks the server to cut the connection.
 */
function events({ query, cutAt }) {
  return new Promise((resolve) => {
    const source = openSource(query)
    const seen = []
    let opened = 0
    source.addEventListener('open', () => opened++)
    source.addEventListener('next', ({ data, lastEventId }) => {
      seen.push([JSON.parse(data), lastEventId])
      if (lastEventId === cutAt && opened === 1) void fetch('/cut', { method: 'POST' })
    })
    source.addEventListener('complete', () => {
      source.close()
      resolve({ seen, opened })
    })
  })
}

/** Subscribes several times, and waits until all have an event. */
async function many({ query, count }) {
  const sources = Array.from({ length: count }, () => openSource(query))
  await Promise.all(
    sources.map((source) => new Promise((resolve) => source.addEventListener('next', resolve))),
  )
  const [{ nextHopProtocol } = {}] = performance.getEntriesByName(location.href)
  for (const source of sources) source.close()
  return nextHopProtocol ?? performance.getEntriesByType('navigation')[0].nextHopProtocol
}

/** The messages of a socket and its close code; it closes itself after the operation. */
function socket({ query, protocol = 'graphql-transport-ws', host = location.host }) {
  return new Promise((resolve) => {
    const url = `${location.protocol.replace('http', 'ws')}//${host}/graphql`
    const client = new WebSocket(url, protocol)
    const seen = []
    const tell = (message) => client.send(JSON.stringify(message))
    client.addEventListener('open', () => tell({ type: 'connection_init' }))
    client.addEventListener('message', ({ data }) => {
      const message = JSON.parse(data)
      seen.push(message)
      if (message.type === 'connection_ack') {
        tell({ type: 'subscribe', id: '1', payload: { query } })
      } else if (message.type === 'complete') client.close(1000)
    })
    client.addEventListener('close', ({ code, wasClean }) => resolve({ seen, code, wasClean }))
  })
}
