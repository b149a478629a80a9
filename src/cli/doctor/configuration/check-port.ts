import { createServer } from 'node:net'
import { fine, type Finding } from '../findings/finding.js'

/** Whether the port of `serve` is free, by listening there for a moment. */
export async function checkPort(host: string, port: number): Promise<Finding> {
  const check = 'port'
  const code = await tryPort(host, port)
  if (code === undefined) return fine(check, `${host}:${port} is free`)
  if (code === 'EADDRINUSE') {
    return {
      check,
      state: 'warn',
      found: `${host}:${port} is in use`,
      why: 'A server that starts there ends with exit code 4. Perhaps yours is running already.',
      remedy: 'Use --port or PORT, or stop the process that is using it.',
    }
  }
  return {
    check,
    state: 'fail',
    found: `${host}:${port}: ${code}`,
    why: 'A server cannot listen there.',
    remedy:
      code === 'EACCES'
        ? 'Use a port from 1024 on, and let a proxy listen at the lower one.'
        : 'Use --host with an address of this machine.',
  }
}

/** The code of the error; undefined if it listened. */
function tryPort(host: string, port: number): Promise<string | undefined> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => done(undefined)))
  })
}
