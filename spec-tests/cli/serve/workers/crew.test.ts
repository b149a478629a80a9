import t from 'tap'
import type { Samples } from '../../../../src/cli/serve/metrics/samples.js'
import { nothingToReport } from '../../../../src/cli/serve/start/stop-report.js'
import { broken, createStage, ready, settle, times, type Stage } from './puppets.js'

/** Does to a stage what the words say, one after the other; returns how the first start went. */
async function play({ crew, puppet, puppets }: Stage, script: string): Promise<object | undefined> {
  let started: object | undefined
  for (const words of script.split(', ')) {
    const [what, index = '0', how = ''] = words.split(' ')
    const at = Number(index)
    if (what === 'start') void crew.start().then((outcome) => (started = outcome))
    if (what === 'ready') (await puppet(at)).start(ready)
    if (what === 'broken') (await puppet(at)).start(broken)
    if (what === 'end') puppets[at]?.end(how)
    if (what === 'leave') puppets[at]?.leave()
    if (what === 'unready') crew.leave()
    // It drains until the test ends it.
    if (what === 'slow') (await puppet(at)).isSlow = true
    if (what === 'renew') void crew.renew()
    if (what === 'stop') void crew.stop(times)
    await settle()
  }
  return started
}

const one = 'start, ready 0'
const two = 'start, ready 0, ready 1'

/** A script for a crew of some size, and what each worker was told, in the order of their births. */
// oxfmt-ignore
const rows: readonly [title: string, size: number, script: string, started: object | undefined, told: string, reports: readonly string[], watches?: true][] = [
  ['the others wait for the first',         3, 'start',                              undefined, '-',                []],
  ['the others start when it is ready',     3, 'start, ready 0, ready 1, ready 2',   ready,     '- - -',            []],
  ['a first that fails is the only one',    3, 'start, broken 0',                    broken,    '-',                []],
  ['a later one that fails ends the first', 2, 'start, ready 0, broken 1',           broken,    'drain drain',      []],
  ['a worker that dies is replaced',        2, `${two}, end 0 how, ready 2`,         ready,     '- - -',            ['a worker ended how, starting another']],
  [
    'of watched files, a broken one waits for a change',
    1,
    `${one}, end 0 how, broken 1, end 1 how, renew, ready 2`,
    ready,
    '- - -',
    ['a worker ended how, starting another', 'broken', 'reloaded '],
    true,
  ],
  ['renewing waits for all the new ones',   2, `${two}, renew, ready 2`,             ready,     '- - - -',          []],
  ['renewing drains the old ones then',     2, `${two}, renew, ready 2, ready 3`,    ready,     'drain drain - -',  ['reloaded ']],
  ['a broken schema leaves the old ones',   2, `${two}, renew, broken 2`,            ready,     '- - -',            ['broken', 'still serving the old schema']],
  ['changes while it renews renew once more', 1, `${one}, renew, renew, renew, ready 1, ready 2`, ready, 'drain drain -', ['reloaded ', 'reloaded ']],
  ['a change before the start is over waits', 1, 'start, renew',                     undefined, '-',                []],
  ['and is renewed after it',               1, 'start, renew, ready 0, ready 1',     ready,     'drain -',          ['reloaded ']],
  ['renewing during a start is done after it', 2, 'start, ready 0, renew, ready 1, ready 2, ready 3', ready, 'drain drain - -', ['reloaded ']],
  ['a change before the start is in the start', 1, `renew, ${one}`,                  ready,     '-',                []],
  ['a change while it stops is nothing',    1, `${one}, stop, renew`,                ready,     'drain',            []],
  ['a worker that is told to end is replaced first', 1, `${one}, slow 0, leave 0, slow 1`, ready,     '- -',              ['a worker got a signal to end, starting another']],
  ['and drains then',                       1, `${one}, slow 0, leave 0, ready 1`,   ready,     'drain -',          ['a worker got a signal to end, starting another']],
  ['one that dies meanwhile is replaced once', 1, `${one}, leave 0, end 0 how, ready 1`, ready,  '- -',              ['a worker got a signal to end, starting another']],
  ['one that has died is not replaced again', 1, `${one}, end 0 how, leave 0, ready 1`, ready,   '- -',              ['a worker ended how, starting another']],
  ['one that has died does not end with its batch', 3, 'start, ready 0, end 0 how, ready 1, broken 2', broken, '- drain drain', []],
  ['one that retires is not replaced',      1, `${one}, slow 0, renew, ready 1, leave 0, end 0 how`, ready, 'drain -', ['reloaded ']],
  ['a supervisor that signals all replaces none', 1, `${one}, unready, leave 0`,     ready,     'unready',          []],
  ['one that dies before the others are ready is replaced then', 2, 'start, ready 0, end 0 how, ready 1, ready 2', ready, '- - -', ['a worker ended how, starting another']],
  ['a replacement that comes too late retires', 1, `${one}, end 0 how, slow 1, renew, ready 2, ready 1`, ready, '- drain -', ['a worker ended how, starting another', 'reloaded ']],
  ['stopping drains all, replaces none',    2, `${two}, stop`,                       ready,     'drain drain',      []],
  ['stopping ends one that is starting',    2, 'start, stop',                        { ok: false }, 'drain',        []],
]

for (const [title, size, script, started, told, reports, watches = false] of rows) {
  void t.test(title, async (t) => {
    const stage = createStage(size, watches)
    const outcome = await play(stage, script)
    if (started === undefined) t.equal(outcome, undefined)
    else t.match(outcome, started)
    t.equal(stage.puppets.map((puppet) => puppet.told.join() || '-').join(' '), told)
    t.same(stage.reports, reports)
  })
}

// oxfmt-ignore
const slow: readonly [title: string, script: string, next: number, told: string][] = [
  ['a renewal that never gets ready', `${one}, renew, renew`, 2, 'drain drain -'],
  ['a first start that never gets ready', 'start, renew', 1, 'drain -'],
]
for (const [title, script, next, told] of slow) {
  void t.test(`${title} is reported, and given up for newer files`, async (t) => {
    const alive = setInterval(() => {}, 1000)
    t.teardown(() => clearInterval(alive))
    const stage = createStage(1, true, 1)
    const started = await play(stage, script)
    const worker = await stage.puppet(next)
    worker.start(ready)
    await settle()
    t.equal(stage.puppets.map((puppet) => puppet.told.join() || '-').join(' '), told)
    t.ok(stage.reports.some((text) => /not ready after 1 ms: is a module waiting/.test(text)))
    t.same([...stage.rotation], [worker])
    t.equal(started === undefined, next === 1)
  })
}

void t.test('killing ends all at once', async (t) => {
  const stage = createStage(2)
  await play(stage, two)
  stage.crew.kill()
  for (const { told } of stage.puppets) t.same(told, ['kill'])
})

void t.test('a replacement that cannot start counts as the next death', async (t) => {
  const stage = createStage(1)
  await play(stage, `${one}, end 0 how`)
  for (const at of [1, 2, 3, 4]) await play(stage, `broken ${at}, end ${at} how`)
  await stage.crew.gaveUp
  t.equal(stage.puppets.length, 5)
  t.equal(stage.reports.filter((text) => text === 'broken').length, 4)
})

void t.test('only workers that serve get connections', async (t) => {
  const stage = createStage(1)
  const sees = async (script: string, ...serving: number[]): Promise<void> => {
    await play(stage, script)
    const expected = serving.map((at) => stage.puppets[at])
    t.same([...stage.rotation], expected, script)
  }
  await sees('start, slow 0')
  await sees('ready 0', 0)
  await sees('leave 0', 0)
  await sees('slow 1, ready 1', 1)
  await sees('end 1 how')
  await sees('ready 2', 2)
  // Those of a crew that stops get what it holds to the very end.
  await sees('slow 2, stop', 2)
})

void t.test('a worker that did not end in time is reported once', async (t) => {
  const stage = createStage(1)
  await play(stage, `${one}, slow 0`)
  const first = await stage.puppet(0)
  first.report = { ...nothingToReport, cut: 2 }
  await play(stage, 'renew, ready 1, leave 0, end 0 late')
  t.same(stage.reports, ['reloaded ', 'an old worker stopped: 0 requests finished, 2 cut'])
})

const counted = (value: number): Samples => ({ graphwire_errors_masked_total: { '': value } })

void t.test('a worker that ends while metrics are collected is counted once', async (t) => {
  const stage = createStage(2)
  await play(stage, two)
  const [leaving, staying] = [await stage.puppet(0), await stage.puppet(1)]
  leaving.metrics = counted(5)
  staying.metrics = counted(1)
  leaving.measure = async () => {
    leaving.end('after it had responded')
    await leaving.ended
  }
  t.same(await stage.crew.collect(), counted(6))
})
