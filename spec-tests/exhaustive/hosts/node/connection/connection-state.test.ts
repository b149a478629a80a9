import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import t from 'tap'
import { Connection } from '../../../../../src/hosts/node/connection/connection.js'
import { lastAnswered } from '../../../../../src/hosts/node/exchange/incoming.js'

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

const last = ({ connection, begin }: Stage): void => {
  begin()
  connection.closeBehindNewest()
}
/** The client has asked for it, so that Node closes by itself. */
const lastByItself = ({ connection, begin }: Stage): void => {
  begin(false)
  connection.closeBehindNewest()
}
const headsSent = ({ answers }: Stage): void => {
  for (const answer of answers) answer.headersSent = true
}
const unclearEnd = ({ connection, begin }: Stage): void => {
  begin()
  connection.endBehindNewest()
}
const fault = ({ connection }: Stage): void => void connection.fail()
const refused = ({ connection }: Stage): void => void (connection.fault = 'refused')
const closedElsewhere = ({ connection }: Stage): void => void lastAnswered.add(connection.socket)

// oxfmt-ignore
const rows: readonly [what: string, isServing: boolean, ...events: ((stage: Stage) => void)[]][] = [
  ['with a request',                                  true],
  ['whose last answer has not begun',                 true,  last],
  ['with another behind the last one',                true,  last, last],
  ['whose client closes behind a later answer',       true,  last, lastByItself],
  ['the same, when that answer has begun',            true,  last, lastByItself, headsSent],
  ['whose last answer has begun',                     false, last, headsSent],
  ['whose last answer came from another listener',    false, closedElsewhere],
  ['that is to end, but whose answer has begun',      true,  headsSent, ({ connection }) => connection.closeBehindNewest()],
  ['with a request whose end is unclear',             false, unclearEnd],
  ['the same, behind the last answer',                false, last, unclearEnd],
  ['with a fault',                                    false, fault],
  ['with a fault behind the last answer',             false, last, headsSent, fault],
  ['with a fault that has its answer',                false, fault, refused],
]

for (const [what, isServing, ...events] of rows) {
  void t.test(`a connection ${what} serves ${isServing ? 'more' : 'no more'}`, async (t) => {
    const stage = create()
    stage.begin()
    for (const happen of events) happen(stage)
    t.equal(stage.connection.isServing, isServing)
  })
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
  connection.fault = 'refused'
  t.equal(connection.fail(), false)
  t.equal(connection.isBusy, true, 'and its answer is not cut by a drain')
})
