// A process that sends load, started by load-crew.mjs. Messages say what to send and for how long.
import { Connection } from './connection.mjs'
import { toHttp } from './to-http.mjs'
import { workloads } from './workloads.mjs'

/** Documents of two processes must not be the same: each counts from a number of its own. */
let fresh = Number(process.argv[2])
let connections = []
let nextRequest
let expected

process.on('message', (message) => {
  if (message.open) open(message.open)
  else if (message.run) run(message.run.seconds * 1000)
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

/** Asks on every connection until the time is up, and then waits for what is on its way. */
function run(milliseconds) {
  const latencies = []
  const wrong = []
  const began = performance.now()
  const until = began + milliseconds
  let busy = connections.length
  for (const connection of connections) ask(connection)

  function ask(connection) {
    const asked = performance.now()
    if (asked >= until || wrong.length > 0) return rest()
    connection.ask(
      nextRequest(),
      (status, body) => {
        latencies.push(performance.now() - asked)
        if (status !== expected.status || body.includes('"errors"') !== expected.refused) {
          wrong.push(`${status} ${body.toString().slice(0, 300)}`)
        }
        ask(connection)
      },
      (error) => {
        wrong.push(error.message)
        rest()
      },
    )
  }

  function rest() {
    busy -= 1
    if (busy > 0) return
    const seconds = (performance.now() - began) / 1000
    process.send({ ran: { seconds, latencies: Float32Array.from(latencies), wrong: wrong[0] } })
  }
}

/** Gives the next request each time: from a list where they repeat, made anew where they do not. */
function inTurn(workload) {
  if (workload.distinct === Infinity) return () => toHttp(workload, fresh++)
  const texts = Array.from({ length: workload.distinct }, (_, at) => toHttp(workload, at))
  let n = 0
  return () => texts[n++ % texts.length]
}
