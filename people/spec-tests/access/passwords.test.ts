import { scryptSync } from 'node:crypto'
import t from 'tap'
import { createPasswords } from '../../access/passwords.js'

t.test('a hash is scrypt with its cost and a salt of its own', async (t) => {
  const passwords = createPasswords()
  const [one, other] = [await passwords.hash('secret'), await passwords.hash('secret')]
  t.not(one, other)
  const [, name, cost, salt = '', digest] = one.split('$')
  t.same([name, cost], ['scrypt', 'ln=15,r=8,p=1'])
  const options = { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 }
  const expected = scryptSync('secret', Buffer.from(salt, 'base64url'), 32, options)
  t.equal(digest, expected.toString('base64url'))
  t.equal(await passwords.check('secret', one), true)
  t.equal(await passwords.check('Secret', one), false)
  t.equal(await passwords.check('secret', undefined), false)
})

t.test('a hash of another cost is checked at that cost', async (t) => {
  const salt = Buffer.from('salt')
  const digest = scryptSync('secret', salt, 32, { N: 2 ** 10, r: 4, p: 2 }).toString('base64url')
  const stored = `$scrypt$ln=10,r=4,p=2$${salt.toString('base64url')}$${digest}`
  t.equal(await createPasswords().check('secret', stored), true)
})

t.test('a stored value that is not a hash is a bug', async (t) => {
  await t.rejects(createPasswords().check('secret', 'secret'), /has an unknown format/)
})
