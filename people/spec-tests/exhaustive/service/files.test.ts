import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { start, type Started } from './started.js'

const open = ['--auth', 'off', '--rate-limit', 'off', '--no-seed'] as const

/** Creates a person and gives the path it has; undefined where nobody answers any more. */
async function create(service: Started, name: string): Promise<string | undefined> {
  try {
    const answer = await service.send('POST', '/person', { name })
    await answer.text()
    if (answer.status !== 201) throw new Error(`${answer.status} for ${name}`)
    return answer.headers.get('location') ?? ''
  } catch (fault) {
    if (fault instanceof TypeError) return undefined
    throw fault
  }
}

t.test('kill -9 in the middle of a thousand requests loses nothing acknowledged', async (t) => {
  const args = [...open, '--db', join(t.testdir(), 'people.db')]
  const service = await start(t, args)
  const acknowledged = new Map<string, string>()
  let next = 0
  const client = async (): Promise<void> => {
    while (next < 1_000) {
      next += 1
      const name = `Person ${next}`
      const path = await create(service, name)
      if (path === undefined) return
      acknowledged.set(path, name)
      if (acknowledged.size === 300) await service.kill()
    }
  }
  await Promise.all(Array.from({ length: 10 }, client))
  t.ok(acknowledged.size >= 300 && next < 1_000, `killed after ${acknowledged.size}`)
  const again = await start(t, args)
  for (const [path, name] of acknowledged) {
    const person = (await (await again.ask(path)).json()) as { readonly name: string }
    if (person.name !== name) t.fail(`${path} is not there`)
  }
  t.type(await create(again, 'After'), 'string', 'and it goes on')
})

t.test('a copy that is made while it runs needs the -wal too', async (t) => {
  const folder = t.testdir({ bare: {}, whole: {} })
  const service = await start(t, [...open, '--db', join(folder, 'people.db')])
  const paths = await Promise.all(
    Array.from({ length: 20 }, (_, at) => create(service, `Person ${at}`)),
  )
  for (const [copy, names] of [
    ['bare', ['people.db']],
    ['whole', ['people.db', 'people.db-wal']],
  ] as const) {
    for (const name of names) copyFileSync(join(folder, name), join(folder, copy, name))
  }
  t.equal(await service.stop(), 0)
  copyFileSync(join(folder, 'people.db'), join(folder, 'stopped.db'))
  // oxfmt-ignore
  const rows: [database: string, found: number][] = [
    ['bare/people.db',  0],
    ['whole/people.db', 20],
    ['stopped.db',      20],
  ]
  for (const [database, found] of rows) {
    const other = await start(t, [...open, '--db', join(folder, database)])
    const answers = await Promise.all(paths.map((path) => other.ask(path ?? '')))
    t.equal(answers.filter(({ status }) => status === 200).length, found, database)
  }
})

t.test('two processes write to one file, and none fails', async (t) => {
  const args = [...open, '--db', join(t.testdir(), 'people.db')]
  const [one, other] = await Promise.all([start(t, args), start(t, args)])
  const paths = await Promise.all(
    Array.from({ length: 200 }, (_, at) => create(at % 2 === 0 ? one : other, `Person ${at}`)),
  )
  t.equal(new Set(paths).size, 200)
  for (const [at, path] of paths.entries()) {
    const person = await (await (at % 2 === 0 ? other : one).ask(path ?? '')).json()
    if ((person as { readonly name: string }).name !== `Person ${at}`)
      t.fail(`${path} is not there`)
  }
  t.equal(await one.stop(), 0)
  t.type(await create(other, 'After'), 'string', 'when one has ended the other goes on')
})
