import { spawnSync } from 'node:child_process'
import t, { type Test } from 'tap'
import { hashApiKey } from '../../../access/api-keys.js'
import { createPasswords } from '../../../access/passwords.js'
import { commands } from '../../../commands/commands.js'
import { createTerminal, runCommand, type CommandIo } from '../../../commands/run-command.js'
import { StoreUnavailable } from '../../../store/store.js'
import type { Store } from '../../../store/open-store.js'
import { onEachDatabase } from '../../store/databases.js'

/** From the tests of graphwire, which are another project for the compiler. */
const keysTyped = '../../../../../dist/spec-tests/exhaustive/type-keys.js'
const { typeKeys } = (await import(new URL(keysTyped, import.meta.url).href)) as {
  typeKeys(
    t: Test,
    command: string,
    typed: readonly [prompt: string, keys: string],
    options: object,
  ): Promise<{ readonly shown: string } | undefined>
}

/** Runs a command as the service does, `keys` and `logins` being the first of the arguments. */
async function run(
  args: readonly string[],
  given: { readonly store?: Store; readonly password?: string; readonly fault?: Error } = {},
) {
  const out: string[] = []
  const err: string[] = []
  const opened: unknown[] = []
  const io: CommandIo = {
    out: (line) => out.push(line),
    err: (line) => err.push(line),
    env: { DATABASE_URL: 'people.db' },
    readPassword: async () => given.password ?? 'secret',
    openStore: async (database) => {
      opened.push(database)
      if (given.fault !== undefined) throw given.fault
      return given.store as Store
    },
  }
  const exit = await runCommand(commands, args, io)
  return { exit, out, err: err.join('\n'), opened }
}

await onEachDatabase(t, 'commands', async (t, open) => {
  // The test goes on with the store that each command closes.
  const store = { ...(await open()), close: async () => {} }
  const told = (words: string, password?: string) =>
    run(words.split(' '), { store, ...(password !== undefined && { password }) })

  await t.test('the audit is listed, as a table or as lines of JSON', async (t) => {
    await store.as({ principal: 'key:ci', requestId: 'r1' }).people.create({ name: 'SECRET' })
    await store.as({ principal: 'login:ann', requestId: 'r2' }).people.update('1', { age: 1 })
    const table = await told('audit list')
    t.strictSame([table.exit, table.out.length], [0, 3])
    t.match(table.out[0], /^AT +OPERATION +PERSON +BEFORE +AFTER +BY +REQUEST$/)
    t.match(table.out[1], /Z +create +1 +- +1 +key:ci +r1$/)
    t.match(table.out[2], /Z +update +1 +1 +2 +login:ann +r2$/)
    t.notMatch(table.out.join(), 'SECRET')
    const filter = '--principal login:ann --person 1 --since 2026-01-01 --limit 5'
    const { out } = await told(`audit list --json ${filter}`)
    t.equal(out.length, 1)
    const versions = { versionBefore: 1, versionAfter: 2 }
    const entry = { operation: 'update', personId: '1', ...versions, requestId: 'r2' }
    t.match(JSON.parse(out[0] ?? ''), entry)
    t.strictSame((await told('audit list --json --until 2026-01-01T00:00Z')).out, [])
  })

  await t.test('a key is printed alone, and taken once', async (t) => {
    const words = 'keys create --name ci --scope write,read --limit 60'
    const { exit, out, err, opened } = await told(`${words} --db x.db`)
    t.equal(exit, 0)
    t.same(opened, ['x.db'])
    t.equal(out.length, 1)
    t.match(out[0], /^gw_[\w-]{43}$/)
    t.match(err, /Created the key ci\./)
    t.notMatch(err, out[0] ?? '')
    const record = { name: 'ci', scopes: ['read', 'write'], limit: 60 }
    t.match(await store.keys.find(hashApiKey(out[0] ?? '')), record)
    const again = await told(words)
    t.match(again, { exit: 1, out: [], err: /A key named ci exists or has existed/ })
    t.same(again.opened, ['people.db'], 'without --db it is that of the service')
  })

  await t.test('keys are listed with what they used today, and revoked', async (t) => {
    await store.keys.addUsage(new Date().toISOString().slice(0, 10), new Map([['ci', 7]]))
    await told('keys create --name other.key --scope read')
    t.match(await told('keys revoke other.key'), { exit: 0, out: [] })
    const { exit, out } = await told('keys list')
    t.equal(exit, 0)
    const [titles, first, second] = out.map((line) => line.split(/ {2,}/))
    t.same(titles, ['NAME', 'SCOPES', 'LIMIT', 'CREATED', 'USED TODAY', 'REVOKED'])
    t.match(first, ['ci', 'read,write', '60', /^\d{4}-.*Z$/, '7', '-'])
    t.match(second, ['other.key', 'read', '-', /Z$/, '0', /Z$/])
    for (const name of ['other.key', 'nobody']) {
      const err = `No active key is named ${name}`
      t.match(await told(`keys revoke ${name}`), { exit: 1, err })
    }
  })

  await t.test('a login is made once, listed and removed once', async (t) => {
    const create = 'logins create --login ann@example.org --scope write'
    t.match(await told(create, 'sécret'), { exit: 0, out: [] })
    t.match(await told(create), { exit: 1, err: /The login ann@example\.org already exists/ })
    const { passwordHash } = (await store.logins.find('ann@example.org')) ?? {}
    t.equal(await createPasswords().check('sécret', passwordHash), true)
    const { out } = await told('logins list')
    t.match(out, [/^LOGIN +SCOPES +CREATED$/, /^ann@example\.org  write +\d{4}-.*Z$/])
    t.notMatch(out.join('\n'), 'scrypt')
    t.match(await told('logins remove ann@example.org'), { exit: 0 })
    const err = /No login is named ann@example\.org/
    t.match(await told('logins remove ann@example.org'), { exit: 1, err })
  })
})

// oxfmt-ignore
const mistakes: [args: string, text: RegExp][] = [
  ['keys',                                              /keys requires a command: create, list, revoke/],
  ['keys make',                                         /keys requires a command: create, /],
  ['keys constructor',                                  /keys requires a command: create, /],
  ['keys create',                                       /--name is required: 1 to 64/],
  ['keys create --name a/b --scope read',               /--name: expected 1 to 64 .*/],
  ['keys create --name a',                              /--scope is required: read, write or read,write/],
  ['keys create --name a --scope admin',                /--scope: expected read/],
  ['keys create --name a --scope read,',                /--scope: expected read/],
  ['keys create --name a --scope read --limit 0',       /--limit: expected a whole number from 1 to 1000000/],
  ['keys revoke',                                       /Missing argument <name>/],
  ['keys list postgres://root:hidden@h/x',              /^Unexpected argument\. The database is given with --db\.$/m],
  ['logins mysql:root:hidden@h/x',                      /logins requires a command/],
  ['logins create --scope read',                        /--login is required/],
  ['logins create --login a --scope read --password x', /--password/],
  ['logins remove',                                     /Missing argument <login>/],
  ['audit list --person x',                             /--person: expected/],
  ['audit list --principal ann',                        /--principal: expected/],
  ['audit list --since today',                          /--since: expected/],
  ['audit list --since 2026-02-30',                     /--since: expected/],
  ['audit list --until 2026-13-01',                     /--until: expected/],
  ['audit list --limit 0',                              /--limit: expected/],
  ['backup',                                            /Missing argument <file>/],
  ['backup a b',                                        /Unexpected argument/],
  ['backup a --db :memory:',                            /needs two files/],
  ['backup a --db postgres://u:hidden@h/d',             /pg_dump/],
  ['restore a --db postgres://u:hidden@h/d',            /pg_restore/],
  ['backup a --db mysql://u:hidden@h/d',                /needs two files/],
]
t.test('invalid arguments open nothing, and no password is shown', async (t) => {
  for (const [args, text] of mistakes) {
    const { exit, out, err, opened } = await run(args.split(' '))
    t.strictSame([exit, out, opened], [2, [], []], args)
    t.match(err, text)
    t.match(err, /^Run "(keys|logins|audit|backup|restore)[ \w]* --help" for usage\.$/m)
    t.notMatch(err, 'hidden')
  }
})

t.test('an invalid password is refused', async (t) => {
  const args = ['logins', 'create', '--login', 'a', '--scope', 'read']
  t.match(await run(args, { password: '' }), { exit: 2, err: /must not be empty/, opened: [] })
  t.match(await run(args, { password: 'x'.repeat(1_025) }), { exit: 2, err: /1024 bytes/ })
})

t.test('help is on stdout', async (t) => {
  for (const args of ['keys --help', 'keys -h', 'keys revoke --help --db x', 'backup -h']) {
    const told = await run(args.split(' '))
    t.match(told, { exit: 0, err: '', opened: [] }, args)
    t.match(told.out.join('\n'), /--db <path\|url>/)
  }
})

t.test('a fault ends the command, and its store is closed', async (t) => {
  const fault = new StoreUnavailable('gone')
  await t.rejects(run(['keys', 'list'], { fault }), fault)
  let isClosed = false
  const list = (): Promise<never> => Promise.reject(fault)
  const close = async (): Promise<void> => void (isClosed = true)
  const store = { logins: { list }, close } as unknown as Store
  await t.rejects(run(['logins', 'list'], { store }), fault)
  t.equal(isClosed, true)
})

t.test('a database in memory is of no use to a command', async (t) => {
  const refusal = { name: 'StoreError', message: /:memory: .* belongs to one process/ }
  await t.rejects(createTerminal({}).openStore(':memory:'), refusal)
})

const module = new URL('../../../commands/run-command.js', import.meta.url)
/** Prints the password that it reads. */
const script = `import(${JSON.stringify(String(module))}).then(async ({ readPassword }) =>
  console.log(JSON.stringify([await readPassword()])))`

t.test('a password comes from a pipe, less its last line break', async (t) => {
  for (const [input, password] of [
    ['secret\n', 'secret'],
    [' two\nlines \r\n', ' two\nlines '],
    ['', ''],
  ] as const) {
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { input })
    t.same(JSON.parse(String(stdout)), [password])
    t.equal(String(stderr), '', 'nothing is prompted')
  }
})

t.test('a password that is typed is not shown', async (t) => {
  const shown = await typed(t, 'sécret\r')
  if (shown === undefined) return
  t.match(shown, /Password: \r?\n\["sécret"\]/)
  t.notMatch(shown.replace('["sécret"]', ''), 'cret')
  t.match(await typed(t, '\u0003'), /\[""\]/, 'Ctrl-C leaves it empty')
})

async function typed(t: Test, keys: string): Promise<string | undefined> {
  const env = { ...process.env, CODE: script, NODE_OPTIONS: '', TERM: 'dumb' }
  const command = `'${process.execPath}' -e "$CODE"`
  return (await typeKeys(t, command, ['Password: ', keys], { env }))?.shown
}
