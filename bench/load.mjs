// A process that sends load, started by processes.mjs. Messages say what to send and for how long.
import { Connection } from './connection.mjs'
import { toHttp, workloads } from './workloads.mjs'

/** Each process counts from a number of its own, so that two never send the same document. */
let fresh = Number(process.argv[2])
let connections = []
let nextRequest
let expected

process.on('message', (message) => {
  if (message.open) open(message.open)
  else if (message.run) run(message.run.seconds * 1000)
  else if (message.pace) runPaced(message.pace.seconds * 1000, message.pace.perSecond)
  else close()
})
process.on('disconnect', () => process.exit())

function open({ port, workload: name, connections: count, status }) {
  const workload = workloads.find((one) => one.name === name)
  nextRequest = inTurn(workload)
  expected = { status, refused: workload.refused ?? false }
  connections = Array.from({ length: count }, () => new Connection(port))
  process.send({ opened: true })
}

function close() {
  for (const connection of connections) connection.close()
  process.send({ closed: true })
}

/** Sends requests on every connection until the time is up, then waits for the remaining responses. */
function run(milliseconds) {
  const round = startRound()
  const until = round.began + milliseconds
  let busy = connections.length
  for (const connection of connections) askAgain(connection)

  function askAgain(connection) {
    const now = performance.now()
    if (now < until && !round.isWrong()) round.ask(connection, now, () => askAgain(connection))
    else if (--busy === 0) round.end()
  }
}

/**
 * Sends requests at random moments at a given rate, without waiting for responses. Latencies count from when a request was
 * due: otherwise a slow response would delay the requests after it, and hide their wait.
 */
function runPaced(milliseconds, perSecond) {
  const round = startRound()
  const until = round.began + milliseconds
  const free = [...connections]
  const due = []
  let next = round.began + gap()
  tick()

  function tick() {
    const now = performance.now()
    for (; next <= now && next < until; next += gap()) due.push(next)
    while (free.length > 0 && due.length > 0 && !round.isWrong()) {
      const connection = free.pop()
      round.ask(connection, due.shift(), () => free.push(connection))
    }
    const isOver = round.isWrong() || (next >= until && due.length === 0)
    if (isOver && free.length === connections.length) round.end()
    else setImmediate(tick)
  }

  function gap() {
    return (-Math.log(1 - Math.random()) * 1000) / perSecond
  }
}

/** The latencies and failures of a round. */
function startRound() {
  const latencies = []
  const wrong = []
  const began = performance.now()
  return {
    began,
    isWrong: () => wrong.length > 0,

    ask(connection, since, done) {
      connection.ask(
        nextRequest(),
        (status, body) => {
          latencies.push(performance.now() - since)
          if (status !== expected.status || body.includes('"errors"') !== expected.refused) {
            wrong.push(`${status} ${body.toString().slice(0, 300)}`)
          }
          done()
        },
        (error) => {
          wrong.push(error.message)
          done()
        },
      )
    },

    end() {
      const seconds = (performance.now() - began) / 1000
      process.send({ ran: { seconds, latencies: Float32Array.from(latencies), wrong: wrong[0] } })
    },
  }
}

/** Gives the next request each time: from a list where they repeat, made anew where they do not. */
function inTurn(workload) {
  if (workload.distinct === Infinity) return () => toHttp(workload, fresh++)
  const texts = Array.from({ length: workload.distinct }, (_, at) => toHttp(workload, at))
  let n = 0
  return () => texts[n++ % texts.length]
}
