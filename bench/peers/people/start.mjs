import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { people, queryTypeDefs } from '../../servers/people.mjs'
import { buildGoServer } from '../list.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))

/** The command that starts the server of a language; gets the folder of the build. */
const commands = {
  go: (folder) => [join(folder, 'server')],
  // Debian's own, even if another comes first in PATH.
  python: () => ['/usr/bin/python3', join(here, 'server.py')],
}

/** Builds what the servers of other languages need, once for all processes of a run. */
export async function prepareForeign(folder) {
  const { folder: built } = await buildGoServer([join(here, 'server.go')])
  const data = join(folder, 'people.json')
  await writeFile(data, JSON.stringify({ typeDefs: queryTypeDefs, people }))
  return { built, data }
}

/** Starts one, and returns the functions of `startServer` that work for a foreign process. */
export async function startForeign({ foreign, prepared }, port, pin) {
  const { built, data } = await prepared
  const [program, ...args] = [...pin, ...commands[foreign](built)]
  const env = { PATH: process.env.PATH, PORT: String(port), PEOPLE: data }
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env })
  let complaint = ''
  child.stderr.on('data', (chunk) => (complaint = (complaint + chunk).slice(-2_000)))
  const closed = once(child, 'close')
  const end = async () => {
    child.kill('SIGKILL')
    await closed
  }
  const gone = closed.then(([code]) => {
    throw new Error(`it ended (${code}). ${complaint}`.trim())
  })
  gone.catch(() => {})
  await Promise.race([answering(port), gone]).catch(async (error) => {
    await end()
    throw error
  })
  const memory = async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
    const bytes = Number(/VmRSS:\s*(\d+) kB/.exec(status)[1]) * 1024
    return { loaded: bytes, rest: bytes }
  }
  return { port, usage: () => usageOf(child.pid), memory, end }
}

/** The CPU time of all threads of a process, in microseconds; Linux only. */
async function usageOf(pid) {
  let nanoseconds = 0
  for (const thread of await readdir(`/proc/${pid}/task`)) {
    const text = await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')
    nanoseconds += Number(text.split(' ')[0])
  }
  return nanoseconds / 1000
}

async function answering(port) {
  for (let tries = 0; tries < 500; tries++) {
    const socket = connect({ port, host: '127.0.0.1' })
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (isOpen) return
    await wait(20)
  }
  throw new Error('it did not listen within 10 seconds')
}
