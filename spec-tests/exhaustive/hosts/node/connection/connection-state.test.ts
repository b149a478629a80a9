import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import t from 'tap'
import {
  Connection,
  connectionTransitions,
  type ConnectionEvent,
  type ConnectionState,
} from '../../../../../src/hosts/node/connection/connection.js'

/** A connection and the answers that it was given, of which it looks at no more. */
function create() {
  const connection = new Connection(new Socket())
  const answers: { headersSent: boolean; readonly shouldKeepAlive: boolean }[] = []
  const begin = (shouldKeepAlive = true): void => {
    const req = { complete: true, httpVersionMinor: 1 }
    const answer = { headersSent: false, shouldKeepAlive, closed: false, req }
    answers.push(answer)
    connection.begin(answer as unknown as ServerResponse)
  }
  return { connection, answers, begin }
}

type Stage = ReturnType<typeof create>

/** How a connection that has a request in flight comes into each state. */
const waysIn: { readonly [state in ConnectionState]: readonly ConnectionEvent[] } = {
  open: [],
  closing: ['last'],
  over: ['last', 'closeSent'],
  faulty: ['fault'],
  refused: ['fault', 'responsesSent'],
}

/** What happens to a connection when it meets each event. */
const happenings: { readonly [event in ConnectionEvent]: (stage: Stage) => void } = {
  last({ connection, begin }) {
    begin()
    connection.closeBehindNewest()
  },
  lastByItself({ connection, begin }) {
    begin(false)
    connection.closeBehindNewest()
  },
  // Where no answer is to close the connection, this is not even noticed.
  closeSent({ answers }) {
    for (const answer of answers) answer.headersSent = true
  },
  unclearEnd({ connection, begin }) {
    begin()
    connection.endBehindNewest()
  },
  fault: ({ connection }) => void connection.fail(),
  responsesSent: ({ connection }) => connection.refuse(),
}

for (const state of Object.keys(connectionTransitions) as ConnectionState[]) {
  for (const event of Object.keys(connectionTransitions[state]) as ConnectionEvent[]) {
    const next = connectionTransitions[state][event]
    void t.test(`${state}, ${event}: ${next ?? 'never'}`, async (t) => {
      const stage = create()
      stage.begin()
      for (const way of waysIn[state]) happenings[way](stage)
      t.equal(stage.connection.state, state)
      const happen = (): void => happenings[event](stage)
      if (next === undefined && event !== 'closeSent') t.throws(happen, /cannot happen/)
      else happen()
      t.equal(stage.connection.state, next ?? state)
    })
  }
}

void t.test('the mark of the last answer moves to a request that still comes', async (t) => {
  const { connection, answers, begin } = create()
  begin()
  connection.closeBehindNewest()
  begin()
  connection.closeBehindNewest()
  t.match(answers, [{ shouldKeepAlive: true }, { shouldKeepAlive: false }])
})

void t.test('only the first fault is one', async (t) => {
  const { connection, begin } = create()
  begin()
  t.equal(connection.fail(), true)
  t.equal(connection.fail(), false)
  connection.refuse()
  t.equal(connection.fail(), false)
  t.equal(connection.isBusy, true, 'and its answer is not cut by a drain')
})
