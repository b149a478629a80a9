import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import tap, { type Test } from 'tap'
import { findProgram, programsAreRequired } from '../clients/find-program.js'
import type { Client } from '../../hosts/exchange.js'
import { unixClient } from '../../hosts/http1-client.js'
import { root } from '../runtimes/runtime.js'
import { temporaryFolder } from '../temporary-folder.js'

export interface Proxy {
  client(path: string): Client
  readonly output: { readonly out: string; readonly err: string }
  /** The folder that is its own, and in it the socket that it listens on. */
  readonly folder: string
  readonly socket: string
}

/** How a proxy is started: the folder and the socket that it listens on are given. */
export type Command = (folder: string, socket: string) => readonly [string, ...string[]]

export function readRoot(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** A test that needs a program: where it is absent, it fails or says that it is skipped. */
export function testWith(
  program: string,
  name: string,
  body: (t: Test, path: string) => Promise<void>,
): void {
  // Debian keeps servers where only root looks.
  const path = findProgram(program) ?? findProgram(`../sbin/${program}`)
  const isSkipped = path === undefined && !programsAreRequired
  void tap.test(name, { skip: isSkipped && `${program} is not installed` }, async (t) => {
    if (path === undefined) t.fail(`${program} is not installed`)
    else await body(t, path)
  })
}

/**
 * Starts a proxy in the foreground and waits until it takes connections. It listens on a socket of a folder of
 * its own, since no other process can take that from it.
 */
export async function startProxy(t: Test, command: Command): Promise<Proxy> {
  const folder = temporaryFolder(t)
  const socket = join(folder, 'proxy.sock')
  const [program, ...args] = command(folder, socket)
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  const end = (): void => void child.kill('SIGTERM')
  process.once('exit', end)
  const output = { out: '', err: '' }
  child.stdout.on('data', (chunk) => (output.out += String(chunk)))
  child.stderr.on('data', (chunk) => (output.err += String(chunk)))
  const ended = once(child, 'close')
  t.teardown(async () => {
    child.kill('SIGTERM')
    await ended
    process.off('exit', end)
  })
  while (!(await takesConnections(socket))) {
    if (child.exitCode !== null) throw new Error(`${program} has ended: ${output.err}${output.out}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return { client: (path) => unixClient(socket, path), output, folder, socket }
}

function takesConnections(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    const say = (answer: boolean): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => say(true)).once('error', () => say(false))
  })
}

/** The text with each piece replaced, each of which must be there. */
export function substitute(text: string, pieces: { readonly [piece: string]: string }): string {
  return Object.entries(pieces).reduce((changed, [piece, other]) => {
    if (!changed.includes(piece)) throw new Error(`There is no "${piece}" in the configuration.`)
    return changed.replaceAll(piece, other)
  }, text)
}

/** What a proxy has written as soon as it matches; in vain it waits until the test's own time is over. */
export async function untilMatches(wanted: RegExp, look: () => string): Promise<string> {
  for (;;) {
    const text = look()
    if (wanted.test(text)) return text
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
