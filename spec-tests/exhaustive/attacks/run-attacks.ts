import t, { type Test } from 'tap'
import { postRaw } from '../hosts/raw-client.js'
import { checkResponse, type Expected } from './check-response.js'
import { startProber, type Prober } from './prober.js'
import { startTarget, untilAtRest } from './target.js'
import type { Figures, Target, TargetSettings } from './target.js'

export interface Attack {
  readonly name: string
  /** Whether it sends so much at once that others are told to come again. */
  readonly overloads?: boolean
  /** The longest that anybody else may wait for an answer meanwhile. Default: 20,000, as slow memory takes seconds for what attacks move. */
  readonly hangMs?: number
  /** Does its worst, checks what came back, and ends by itself. */
  run(t: Test, target: Target): Promise<unknown>
}

/** Attacks by their names, and what they have in common. */
export function attacksOf(
  runs: { readonly [name: string]: Attack['run'] },
  common: Omit<Attack, 'name' | 'run'> = {},
): readonly Attack[] {
  return Object.entries(runs).map(([name, run]) => ({ name, run, ...common }))
}

/** What is sent, the status of its answer, and the code of a refusal; `ends` where nothing follows although it should. */
export type AttackRow<Sent = string> = readonly [
  name: string,
  sent: Sent,
  status: Expected['status'],
  code?: string | undefined,
  how?: 'ends',
]

/** Attacks of one request: bytes on a connection of their own, and the answer to them. */
export function bytesAttacks(rows: readonly AttackRow<string | Uint8Array>[]): readonly Attack[] {
  return rows.map(([name, bytes, status, code, how]) => ({
    name,
    async run(t, { connect }) {
      const client = await connect()
      client.write(bytes)
      // Who waits for the rest of a request learns that it will not come.
      if (how === 'ends') client.socket.end()
      checkResponse(t, await client.next(), code === undefined ? { status } : { status, code })
    },
  }))
}

export function bodyAttacks(rows: readonly AttackRow<string | Uint8Array>[]): readonly Attack[] {
  return bytesAttacks(
    rows.map(([name, body, ...expected]) => [name, postRaw(Buffer.from(body)), ...expected]),
  )
}

export function documentAttacks(rows: readonly AttackRow[]): readonly Attack[] {
  return bodyAttacks(rows.map(([name, query, ...expected]) => [name, bodyOf(query), ...expected]))
}

export function bodyOf(query: string, variables?: object): string {
  return JSON.stringify({ query, variables })
}

const MB = 1e6

export interface RunSettings extends TargetSettings {
  /** With two, what the second adds is a leak, and what the first adds may be room that the process keeps. Default: 1. */
  readonly rounds?: 1 | 2
}

/** Runs a table of attacks against one process, and checks after each that it is as it was. */
export function runAttacks(
  title: string,
  attacks: readonly Attack[],
  { rounds = 1, ...settings }: RunSettings = {},
): void {
  void t.test(title, async (t) => {
    const target = await startTarget(settings)
    const prober = startProber(target.port)
    await warmUp(target)
    const before = await target.figures()
    let half = before
    for (let run = 0; run < rounds * attacks.length; run++) {
      if (run === Math.floor((rounds * attacks.length) / 2)) half = await target.figures()
      const attack = attacks[run % attacks.length] as Attack
      const again = run < attacks.length ? '' : ', again'
      await t.test(`${attack.name}${again}`, (t) => runAttack(t, attack, target, prober))
    }
    await untilAtRest(target)
    checkMemory(t, before, half, await target.figures())
    await prober.stop()
    t.equal((await target.stop()).code, 0)
  })
}

async function runAttack(t: Test, attack: Attack, target: Target, prober: Prober): Promise<void> {
  prober.begin()
  await attack.run(t, target)
  target.leave()
  const { worst, wrong, probes } = await prober.end()
  t.comment(`slowest of ${probes} probes: ${worst.toFixed(0)} ms`)
  t.ok(worst < (attack.hangMs ?? 20_000), `a probe waited ${worst.toFixed(0)} ms`)
  const refused = attack.overloads === true ? wrong.filter((one) => !one.startsWith('503 ')) : wrong
  t.strictSame(refused, [], 'every probe was answered rightly')
  await untilAtRest(target)
  t.equal(await target.ask(question), answer)
}

const question = '{ person { name friends(limit: 2) { id } } pet { ... on Cat { name } } }'
const answer =
  '{"data":{"person":{"name":"Ada","friends":[{"id":"1"},{"id":"1"}]},"pet":{"name":"Tom"}}}'

/** What a process takes for its first busy second, and keeps, is not what the attacks leave behind. */
async function warmUp(target: Target): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await Promise.all(Array.from({ length: 1000 }, () => target.ask(question)))
  }
}

/** Checks that memory has grown by less than 150 MB in all, less than 100 MB of it in the second half. */
export function checkMemory(
  t: Test,
  before: readonly Figures[],
  half: readonly Figures[],
  after: readonly Figures[],
): void {
  for (const { pid, memory } of before) {
    const since = (all: readonly Figures[]): number =>
      (all.find((one) => one.pid === pid)?.memory ?? 0) - memory
    const [whole, second] = [since(after), since(after) - since(half)]
    const [all, later] = [whole, second].map((bytes) => (bytes / MB).toFixed(0))
    t.comment(`memory grew by ${all} MB, ${later} in the second half`)
    t.ok(whole < 150 * MB, `${whole} bytes in all`)
    t.ok(second < 100 * MB, `${second} bytes in the second half`)
  }
}
