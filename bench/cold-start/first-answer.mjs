import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '../processes.mjs'

const maxMs = 20_000
const restMs = 500
const maxEndMs = 3000
const body = JSON.stringify({ query: '{ hello(name: "Ada") }' })

/**
 * Starts `node` with what `start(port)` returns and retries until there is a response. Returns the milliseconds from before
 * the spawn to the whole response, and the resident memory at rest. Retrying treats all servers alike; a "ready" line would
 * depend on what each considers ready.
 */
export async function firstAnswer(start, env, signal) {
  const port = await freePort()
  const began = performance.now()
  const child = spawn(process.execPath, start(port), {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'production', ...env },
  })
  let complaint = ''
  child.stderr.on('data', (chunk) => (complaint = (complaint + chunk).slice(-2_000)))
  const closed = once(child, 'close')
  try {
    for (;;) {
      const answer = await ask(port)
      if (answer !== undefined) {
        const milliseconds = performance.now() - began
        const cpu = await cpuTime(child.pid)
        check(answer)
        await wait(restMs)
        return { milliseconds, cpu, kilobytes: await residentMemory(child.pid) }
      }
      signal.throwIfAborted()
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${complaint}`)
      if (performance.now() - began > maxMs) throw new Error(`no answer: ${complaint}`)
      await wait(1)
    }
  } finally {
    // Node stores compiled code only at an orderly end.
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), maxEndMs)
    await closed
    clearTimeout(timer)
  }
}

/** The response, or undefined while the server does not listen. */
function ask(port) {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: '127.0.0.1',
      port,
      path: '/graphql',
      method: 'POST',
      agent: false,
      headers: {
        Accept: 'application/graphql-response+json, application/json;q=0.9',
        'Content-Type': 'application/json',
        'Content-Length': body.length,
      },
    })
    outgoing.on('error', (error) =>
      error.code === 'ECONNREFUSED' ? resolve(undefined) : reject(error),
    )
    outgoing.on('response', (incoming) => {
      let text = ''
      incoming.on('data', (chunk) => (text += chunk))
      incoming.on('end', () => resolve({ status: incoming.statusCode, text }))
      incoming.on('error', reject)
    })
    outgoing.end(body)
  })
}

function check({ status, text }) {
  if (status === 200 && JSON.parse(text).data?.hello === 'Hello, Ada!') return
  throw new Error(`a wrong answer: ${status} ${text}`)
}

/** How long the threads of a process have run, in milliseconds. */
async function cpuTime(id) {
  const threads = await readdir(`/proc/${id}/task`).catch(() => [])
  const stats = threads.map((thread) => readFile(`/proc/${id}/task/${thread}/schedstat`, 'utf8'))
  const times = (await Promise.all(stats)).map((text) => Number(text.split(' ')[0]) / 1e6)
  return times.length === 0 ? undefined : times.reduce((sum, time) => sum + time, 0)
}

/** Where there is no /proc, nothing is known of memory. */
async function residentMemory(id) {
  const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '')
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(status)
  return found === null ? undefined : Number(found[1])
}
