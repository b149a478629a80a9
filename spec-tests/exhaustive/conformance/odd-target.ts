import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type Socket } from 'node:net'
import type { Test } from 'tap'
import { createHandler } from '../../../src/index.js'
import { toNodeListener } from '../../../src/hosts/node/index.js'
import { createStandardSchema } from '../../../src/standard/standard-schema.js'
import { runConformance, type ConformanceOptions } from '../../../src/conformance/run/run.js'
import type { CaseReport, Report } from '../../../src/conformance/suite/report.js'
import { listenFor } from '../../hosts/start-node.js'

/** Our own handler, to stand behind something odd. */
export function goodListener(): RequestListener {
  return toNodeListener(createHandler({ schema: createStandardSchema() }))
}

/** The URL of a server that answers as it likes. */
export async function serveOdd(t: Test, listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listenFor(t, createServer(listener))}/graphql`
}

/** The URL of a server that does with connections as it likes. */
export async function serveTcp(t: Test, behave: (socket: Socket) => void): Promise<string> {
  const server = createTcpServer({ allowHalfOpen: true }, (socket) => {
    behave(socket.on('error', () => {}))
  })
  return `http://127.0.0.1:${await listenFor(t, server)}/graphql`
}

/** A run of a few cases that are quick on any machine. */
export function runAgainst(url: string, options: Partial<ConformanceOptions> = {}) {
  const quick = { timeout: 20_000, maxDuration: 120_000, suites: ['core'] }
  return runConformance({ ...quick, ...options, url })
}

/** What a run holds against a target. */
export function accusationsOf({ cases }: Report): readonly CaseReport[] {
  return cases.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'skip')
}
