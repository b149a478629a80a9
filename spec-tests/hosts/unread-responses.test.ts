import t from 'tap'
import type { Incoming } from '../../src/hosts/node/exchange/incoming.js'
import { resolveNodeHostOptions } from '../../src/hosts/node/exchange/node-host-options.js'

/** What is written, as client and bytes, or read, as the number of what was written; then what was cut. */
type Step = readonly [client: string, bytes: number] | number

// oxfmt-ignore
const cases: readonly (readonly [name: string, steps: readonly Step[], cut: readonly number[]])[] = [
  ['all within the budget stay',                         [['A', 40], ['A', 60]],                              []],
  ['of equal ones the one that has waited longest goes', [['A', 40], ['A', 40], ['A', 40]],                   [0]],
  ['of others the largest',                              [['A', 40], ['A', 45], ['A', 40]],                   [1]],
  ['as many go as it takes',                             [['A', 40], ['A', 40], ['B', 99]],                   [2]],
  ['the client that holds the most loses, not the last', [['A', 40], ['A', 50], ['B', 30]],                   [1]],
  ['nor the client with the largest',                    [['B', 50], ['A', 40], ['A', 40]],                   [1]],
  ['what was read makes room',                           [['A', 40], ['A', 50], 0, ['B', 40]],                []],
  ['what was read cannot be cut',                        [['A', 60], ['A', 30], 0, ['A', 80]],                [2]],
  ['one that waits alone may be larger',                 [['A', 500]],                                        []],
  ['and goes when others come',                          [['A', 500], ['B', 40]],                             [0]],
]

function follow(steps: readonly Step[], trustedProxies: number, toIncoming: ToIncoming): number[] {
  const { unread, clientOf } = resolveNodeHostOptions({ maxUnreadBytes: 100, trustedProxies })
  const cut: number[] = []
  const releases: (() => void)[] = []
  for (const step of steps) {
    if (typeof step === 'number') releases[step]?.()
    else {
      const at = releases.length
      releases.push(() => {})
      const measure = (): number => step[1]
      const held = unread.add(clientOf(toIncoming(step[0])) ?? '', measure, () => {
        cut.push(at)
        releases[at]?.()
      })
      releases[at] = () => unread.release(held)
    }
  }
  return cut
}

type ToIncoming = (client: string) => Incoming

const addresses: { readonly [client: string]: string } = { A: '192.0.2.1', B: '192.0.2.2' }

const incomingOf = (rawHeaders: unknown[], remoteAddress: string | undefined) =>
  ({ rawHeaders, socket: { remoteAddress } }) as unknown as Incoming
const direct: ToIncoming = (client) => incomingOf([], addresses[client])
const proxied: ToIncoming = (client) =>
  incomingOf(['X-Forwarded-For', addresses[client]], '192.0.2.9')

for (const [name, steps, cut] of cases) {
  void t.test(name, async (t) => {
    t.same(follow(steps, 0, direct), cut)
    t.same(follow(steps, 1, proxied), cut, 'behind a proxy')
  })
}

void t.test('behind a proxy that is not trusted, all are one client', async (t) => {
  const [, steps = []] = cases.find(([name]) => name === 'nor the client with the largest') ?? []
  t.same(follow(steps, 0, proxied), [0])
})
