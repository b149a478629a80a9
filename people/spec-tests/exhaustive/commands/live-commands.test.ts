import { join } from 'node:path'
import t from 'tap'
import { runToEnd } from '../service-process.js'
import { production, start, until } from '../service/started.js'

t.test('a running service takes what the commands write', async (t) => {
  const database = join(t.testdir(), 'people.db')
  const service = await start(t, ['--db', database], { env: production })
  const command = (words: string, stdin = '') =>
    runToEnd(words.split(' '), { env: { DATABASE_URL: database }, stdin })
  const write = async (credential: { readonly [name: string]: string }): Promise<number> =>
    (await service.send('POST', '/person', { name: 'A' }, credential)).status

  await t.test('a new key works at once', async (t) => {
    const { code, out, err } = await command('keys create --name ci --scope read,write --limit 60')
    t.equal(code, 0)
    t.match(out, /^gw_[\w-]{43}\n$/)
    t.match(err, /^Created the key ci\./)
    const key = { 'X-API-Key': out.trim() }
    const answer = await service.send('POST', '/person', { name: 'A' }, key)
    t.equal(answer.status, 201)
    t.equal(answer.headers.get('ratelimit-policy'), '"key";q=60;w=60')

    const used = await until(
      async () =>
        /^ci +read,write +60 +\S+ +([1-9]\d*) +-$/m.exec((await command('keys list')).out)?.[1],
    )
    t.equal(used, '1', 'its use is listed')

    t.match(await command('keys revoke ci'), { code: 0, err: /Revoked the key ci/ })
    const revoked = performance.now()
    await until(async () => (await write(key)) === 401)
    // 5 s are promised; a machine with much to do may take longer to ask.
    t.ok(performance.now() - revoked < 15_000)
    t.match(await command('keys list'), { out: /^ci .* \d{4}-\S+Z$/m })
  })

  await t.test('a key that was asked for before it was there works, too', async (t) => {
    const { out } = await command('keys create --name reader --scope read')
    t.equal(await write({ 'X-API-Key': out.trim() }), 403)
    t.equal(await write({ 'X-API-Key': `gw_${'A'.repeat(43)}` }), 401)
  })

  await t.test('a new login works at once', async (t) => {
    const made = await command('logins create --login ann --scope write', 'correct horse\n')
    t.match(made, { code: 0, out: '', err: 'Created the login ann.\n' })
    const logIn = (password: string) => service.send('POST', '/login', { login: 'ann', password })
    t.equal((await logIn('wrong')).status, 401)
    const answer = await logIn('correct horse')
    t.equal(answer.status, 200)
    const { token } = (await answer.json()) as { token: string }
    t.equal(await write({ Authorization: `Bearer ${token}` }), 201)
    t.match(await command('logins list'), { code: 0, out: /^ann +write +\S+Z$/m })
    t.match(await command('logins remove ann'), { code: 0 })
    t.equal((await logIn('correct horse')).status, 401)
  })
})
