import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import type { Test } from 'tap'
import { createHandler } from '../../../src/index.js'
import { toNodeListener } from '../../../src/hosts/node/index.js'
import { createStandardSchema } from '../../../src/standard/standard-schema.js'
import { runConformance, type ConformanceOptions } from '../../../src/conformance/run/run.js'
import type { CaseReport, Report } from '../../../src/conformance/suite/report.js'
import { listen as listenWith } from './defects/start-server.js'

/** Our own handler, to stand behind something odd. */
export function goodListener(): RequestListener {
  return toNodeListener(createHandler({ schema: createStandardSchema() }))
}

/** Listens on a free port of an address until the test ends. */
export async function listen(t: Test, server: Server, host = '127.0.0.1'): Promise<number> {
  const sockets = new Set<Socket>()
  const port = await listenWith(server, sockets, host)
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return port
}

/** The URL of a server that answers as it likes. */
export async function serveOdd(t: Test, listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listen(t, createServer(listener))}/graphql`
}

/** The URL of a server that does with connections as it likes. */
export async function serveTcp(t: Test, behave: (socket: Socket) => void): Promise<string> {
  return `http://127.0.0.1:${await listen(t, createTcpServer({ allowHalfOpen: true }, behave))}/graphql`
}

/** A run of a few cases that are quick on any machine. */
export function runAgainst(
  url: string,
  options: Partial<ConformanceOptions> = {},
): Promise<Report> {
  return runConformance({
    timeout: 20_000,
    maxDuration: 120_000,
    suites: ['core'],
    ...options,
    url,
  })
}

/** What a run holds against a target. */
export function accusationsOf({ cases }: Report): readonly CaseReport[] {
  return cases.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'skip')
}
