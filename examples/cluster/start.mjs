import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Pool } from 'pg'

const here = fileURLToPath(new URL('.', import.meta.url))
const instances = ['one', 'two', 'three']

/** How many requests a caller may send in ten minutes. */
export const limit = 30

/** Starts three instances, Redis and HAProxy, each of which is started again whenever it ends. */
export async function startCluster(balancer) {
  const connectionString = process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1/postgres'
  const database = new Pool({ connectionString, max: 1 })
  const folder = mkdtempSync(join(tmpdir(), 'cluster-'))
  const schema = `cluster_${process.pid}_${Date.now()}`
  await database.query(
    `create schema ${schema};
     create table ${schema}.notes (id bigserial primary key, key text unique, text text not null)`,
  )
  const ports = { BALANCER: balancer ?? (await freePort()), REDIS: await freePort() }
  for (const name of instances) ports[name.toUpperCase()] = await freePort()
  const common = {
    ...process.env,
    PATH: `${process.env.PATH}:/usr/sbin`,
    DATABASE_URL: connectionString,
    FOLDER: folder,
    REDIS_URL: `redis://127.0.0.1:${ports.REDIS}`,
    LIMIT: limit,
    SCHEMA: schema,
    ...ports,
  }
  const redis = ['--bind', '127.0.0.1', '--dir', folder, '--appendonly', 'yes', '--save', '']
  const processes = {
    redis: keep('redis-server', [...redis, '--port', `${ports.REDIS}`], common, 3000),
    haproxy: keep('haproxy', ['-q', '-db', '-f', `${here}haproxy.cfg`], common, 100),
  }
  for (const name of instances) {
    const env = { ...common, PORT: ports[name.toUpperCase()] }
    processes[name] = keep(process.execPath, [`${here}server.mjs`], env, 100)
  }
  const command = (line) => tell(join(folder, 'haproxy.sock'), line)
  const untilUp = async (...names) => {
    for (const name of names) {
      const isUp = new RegExp(`^graphwire,${name},.*,UP,`, 'm')
      while (!isUp.test(await command('show stat'))) await pause(20)
    }
  }
  await untilUp(...instances)
  const stop = async () => {
    await Promise.all(Object.values(processes).map((one) => one.stop()))
    await database.query(`drop schema ${schema} cascade`)
    await database.end()
    rmSync(folder, { recursive: true })
  }
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => stop().then(() => process.exit()))
  }
  return {
    url: `http://127.0.0.1:${ports.BALANCER}/graphql`,
    instances,
    database,
    schema,
    /** Waits until HAProxy uses these instances. */
    untilUp,
    /** Sends a command to HAProxy. */
    command,
    /** Ends a process by the signal. It is started again. */
    end: (name, signal) => processes[name].end(signal),
    stop,
  }
}

export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Runs a program again, after a pause, whenever it ends. */
function keep(command, args, env, delay) {
  let isStopping = false
  let child
  const start = () => {
    child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
    child.ended = new Promise((resolve) => child.once('exit', resolve))
    child.once('error', (error) => {
      throw error
    })
    void child.ended.then(() => isStopping || setTimeout(start, delay))
  }
  start()
  process.once('exit', () => child.kill('SIGKILL'))
  return {
    async end(signal) {
      const { ended } = child
      child.kill(signal)
      await ended
    },
    stop() {
      isStopping = true
      child.kill('SIGKILL')
      return child.ended
    },
  }
}

/** What HAProxy answers; nothing while it does not run. */
function tell(path, line) {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(path).once('error', () => {})
    socket.on('data', (chunk) => (answer += chunk)).once('close', () => resolve(answer))
    socket.end(`${line}\n`)
  })
}

/** Below those that systems give to outgoing connections, so that it is still free when a process starts again. */
function freePort() {
  return new Promise((resolve) => {
    const port = 15_000 + Math.floor(Math.random() * 15_000)
    const server = createServer()
    server.once('error', () => resolve(freePort()))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(port)))
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log((await startCluster(Number(process.env.PORT ?? 4000))).url)
}
