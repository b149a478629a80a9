const graphwire = { script: 'stream-graphwire', isGraphwire: true }
const compiled = { ...graphwire, compiled: true }

/**
 * The servers. With `own`, the result of each subscriber needs an execution of its own; without it, one execution serves
 * all of them if the server can tell that it may.
 */
export const contenders = [
  { name: 'bare SSE', script: 'stream-bare', transport: 'sse' },
  { name: 'graphwire SSE, 16', ...graphwire, transport: 'sse', graphql: 16, own: true },
  { name: 'graphwire SSE, 17', ...graphwire, transport: 'sse', graphql: 17, own: true },
  { name: 'graphwire SSE, 16, compiled', ...compiled, transport: 'sse', graphql: 16, own: true },
  { name: 'graphwire SSE, 17, compiled', ...compiled, transport: 'sse', graphql: 17, own: true },
  { name: 'graphwire SSE, 16, shared', ...graphwire, transport: 'sse', graphql: 16 },
  { name: 'graphwire SSE, 17, shared', ...graphwire, transport: 'sse', graphql: 17 },
  { name: 'graphql-sse', script: 'stream-graphql-sse', transport: 'sse', own: true },
  { name: 'graphql-yoga SSE', script: 'stream-yoga', transport: 'sse', own: true },
  { name: 'bare ws', script: 'stream-bare', transport: 'ws' },
  { name: 'graphwire WebSocket, 16', ...graphwire, transport: 'ws', graphql: 16, own: true },
  { name: 'graphwire WebSocket, 17', ...graphwire, transport: 'ws', graphql: 17, own: true },
  {
    name: 'graphwire WebSocket, 16, compiled',
    ...compiled,
    transport: 'ws',
    graphql: 16,
    own: true,
  },
  {
    name: 'graphwire WebSocket, 17, compiled',
    ...compiled,
    transport: 'ws',
    graphql: 17,
    own: true,
  },
  { name: 'graphwire WebSocket, 16, shared', ...graphwire, transport: 'ws', graphql: 16 },
  { name: 'graphwire WebSocket, 17, shared', ...graphwire, transport: 'ws', graphql: 17 },
  { name: 'graphql-ws + ws', script: 'stream-graphql-ws', transport: 'ws', own: true },
  { name: 'mercurius', script: 'stream-mercurius', transport: 'ws', own: true },
]

/** The servers that execute @defer. */
export const deferring = [
  { name: 'graphwire, 17', ...graphwire, graphql: 17 },
  { name: 'graphql-yoga', script: 'stream-yoga' },
]
