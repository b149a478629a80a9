import t from 'tap'
import { Sessions } from '../../src/websocket/sessions.js'
import type { Session } from '../../src/websocket/session.js'
import { FakePort, fakeSession, init, rules, subscribe } from './fake-endpoint.js'

/** After something was sent, so much waits on a socket, whose client is its first letter; or it has read all, or closed. */
type Step = readonly [socket: string, unsent: number | 'read' | 'closed']

// oxfmt-ignore
const cases: readonly (readonly [name: string, steps: readonly Step[], cut: readonly string[]])[] = [
  ['all within the budget stay',                        [['A1', 40], ['A2', 60]],                        []],
  ['of one client the socket that holds the most goes', [['A1', 40], ['A2', 40], ['A1', 50], ['A2', 60]], ['A2']],
  ['the client that holds the most loses',              [['B1', 30], ['A1', 40], ['A2', 40]],            ['A1']],
  ['what was read makes room',                          [['A1', 60], ['A1', 0], ['A2', 60]],             []],
  ['also if nothing was sent since',                    [['A1', 60], ['A1', 'read'], ['A2', 60], ['A3', 30]], []],
  ['so does what was read in part',                     [['A1', 60], ['A1', 30], ['A2', 60]],            []],
  ['and what has closed',                               [['A1', 60], ['A1', 'closed'], ['A2', 60]],      []],
  ['one socket alone may not hold more',                [['A1', 40], ['A1', 101]],                       ['A1']],
  ['nor with one result',                               [['A1', 101]],                                   ['A1']],
]

for (const [name, steps, cut] of cases) {
  void t.test(`sockets that are not read have a budget: ${name}`, async (t) => {
    const { operations, started } = fakeSession()
    Object.assign(operations, { clientOf: ({ target }: { target: string }) => target })
    const sessions = new Sessions(operations, { ...rules, maxUnreadBytes: 100 })
    const open = new Map<string, { session: Session; port: FakePort }>()
    for (const [socket, unsent] of steps) {
      const port = open.get(socket)?.port ?? new FakePort()
      const head = { method: 'GET', target: socket.charAt(0), headers: [], raw: {} }
      const session = open.get(socket)?.session ?? sessions.open(head, port)
      if (!open.has(socket)) {
        for (const text of [init, subscribe(socket)]) session.receive(text)
        // The sockets of a process share a turn, in which enough may have been read.
        while (started.length === open.size) await new Promise(setImmediate)
      }
      open.set(socket, { session, port })
      if (unsent === 'closed') {
        sessions.release(session)
        continue
      }
      port.unsent = unsent === 'read' ? 0 : unsent
      if (unsent === 'read') continue
      started.at([...open.keys()].indexOf(socket))?.outlet.next('{}')
    }
    const terminated = [...open].filter(([, { port }]) => port.log.includes('<terminate>'))
    const names = terminated.map(([socket]) => socket)
    t.same(names, cut)
    for (const [at, socket] of [...open.keys()].entries()) {
      const isCut = started[at]?.stopped.includes('slow-reader')
      t.equal(isCut, cut.includes(socket), `the operation of ${socket} is stopped`)
    }
    for (const { session } of open.values()) sessions.release(session)
  })
}
