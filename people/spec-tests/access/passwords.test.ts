import { scryptSync } from 'node:crypto'
import t from 'tap'
import { createPasswords, createQueue, faultOfPassword } from '../../access/passwords.js'

t.test('a hash is scrypt with its cost and a salt of its own', async (t) => {
  const passwords = createPasswords()
  const [one, other] = [await passwords.hash('secret'), await passwords.hash('secret')]
  if (!one.ok || !other.ok) throw new Error('The queue is full.')
  t.not(one.value, other.value)
  const [, name, cost, salt = '', digest] = one.value.split('$')
  t.same([name, cost], ['scrypt', 'ln=15,r=8,p=1'])
  const options = { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 }
  const expected = scryptSync('secret', Buffer.from(salt, 'base64url'), 32, options)
  t.equal(digest, expected.toString('base64url'))
  t.same(await passwords.check('secret', one.value), { ok: true, value: true })
  t.same(await passwords.check('Secret', one.value), { ok: true, value: false })
  t.same(await passwords.check('secret', undefined), { ok: true, value: false })
})

t.test('a hash of another cost is checked at that cost', async (t) => {
  const salt = Buffer.from('salt')
  const digest = scryptSync('secret', salt, 32, { N: 2 ** 10, r: 4, p: 2 }).toString('base64url')
  const stored = `$scrypt$ln=10,r=4,p=2$${salt.toString('base64url')}$${digest}`
  t.same(await createPasswords().check('secret', stored), { ok: true, value: true })
})

t.test('a stored value that is not a hash is a bug', async (t) => {
  await t.rejects(createPasswords().check('secret', 'secret'), /has an unknown format/)
})

t.test('what a password may be', async (t) => {
  // oxfmt-ignore
  const rows: [password: string, fault: RegExp | undefined][] = [
    ['x',                    undefined],
    ['x'.repeat(1_024),      undefined],
    ['😀'.repeat(256),       undefined],
    ['',                     /must not be empty/],
    ['x'.repeat(1_025),      /at most 1024 bytes/],
    ['😀'.repeat(256) + 'x', /at most 1024 bytes/],
    ['\udc00',               /well-formed Unicode/],
  ]
  for (const [password, fault] of rows) {
    const found = faultOfPassword(password)
    if (fault === undefined) t.equal(found, undefined)
    else t.match(found, fault)
  }
})

t.test('a queue runs some at once, in order, and goes on after a failure', async (t) => {
  const queue = createQueue({ atOnce: 1, waiting: 2 })
  const order: string[] = []
  const run = (name: string, fails = false): Promise<unknown> =>
    queue(async () => {
      order.push(name)
      await Promise.resolve()
      if (fails) throw new Error(name)
      return name
    })
  const results = await Promise.allSettled([run('a', true), run('b'), run('c'), run('d')])
  t.match(results, [
    { status: 'rejected', reason: { message: 'a' } },
    { value: { ok: true, value: 'b' } },
    { value: { ok: true, value: 'c' } },
    { value: { ok: false, reason: 'full' } },
  ])
  t.same(order, ['a', 'b', 'c'])
  t.same(await run('e'), { ok: true, value: 'e' })
})
