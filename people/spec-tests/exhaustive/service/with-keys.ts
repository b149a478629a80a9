import { join } from 'node:path'
import Database from 'libsql'
import { SignJWT } from 'jose'
import type { Test } from 'tap'
import { runToEnd } from '../service-process.js'
import { jwtKey, production, start, until, type Headers, type Started } from './started.js'

/** A service in production on a file, and how to make and revoke keys for it. */
export async function startWithKeys(t: Test, env: Headers = {}) {
  const database = join(t.testdir(), 'people.db')
  const command = async (words: string, stdin = ''): Promise<string> => {
    const ended = await runToEnd([...words.split(' '), '--db', database], { stdin })
    t.equal(ended.code, 0, words)
    return ended.out.trim()
  }
  const writer = await command('keys create --name writer --scope write')
  const service = await start(t, ['--db', database], { env: { ...production, ...env } })
  return { database, service, command, writer: { 'X-API-Key': writer } }
}

/** Holds the lock of a file of SQLite, for which writes wait, until what is returned is called. */
export function lockFile(t: Test, path: string): () => void {
  const lock = new Database(path)
  t.teardown(() => lock.close())
  lock.exec('pragma busy_timeout = 5000')
  lock.exec('begin immediate')
  return () => lock.exec('rollback')
}

/** A token of a login that may read, in seconds since 1970. */
export function signToken(expires: number): Promise<string> {
  return new SignJWT({ scope: 'read' })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject('ann')
    .setIssuer('people')
    .setAudience('people')
    .setIssuedAt()
    .setExpirationTime(expires)
    .sign(Buffer.from(jwtKey, 'base64url'))
}

/** The lines of the metrics that begin so. */
export async function figureLines(
  { ask }: Started,
  name: string,
  init?: RequestInit,
): Promise<string[]> {
  const text = await (await ask('/metrics', init)).text()
  return text.split('\n').filter((line) => line.startsWith(name))
}

/** What is measured: each series by its name and labels, in the text format of Prometheus. */
export async function figuresOf(service: Started, init?: RequestInit) {
  const lines = (await figureLines(service, '', init)).filter((line) => /^[^#]/.test(line))
  return new Map(
    lines.map((line): [string, number] => {
      const end = line.lastIndexOf(' ')
      return [line.slice(0, end), Number(line.slice(end))]
    }),
  )
}

/** Waits until so many subscriptions over sockets have started. */
export function untilOpen(service: Started, count: number): Promise<true> {
  const line = `people_streams_open{transport="websocket"} ${count}`
  return until(async () => (await figureLines(service, line)).length === 1)
}
