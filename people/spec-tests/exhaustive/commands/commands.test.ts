import { spawn } from 'node:child_process'
import { Readable } from 'node:stream'
import type { ReadStream } from 'node:tty'
import t, { type Test } from 'tap'
import { hashApiKey } from '../../../access/api-key.js'
import { auditCommands } from '../../../commands/audit-commands.js'
import { createTerminal, readPassword, type CommandIo } from '../../../commands/terminal.js'
import { keyCommands, loginCommands } from '../../../commands/credential-commands.js'
import { runCommand } from '../../../commands/run-command.js'
import { StoreError, StoreUnavailable, type Store } from '../../../store/store.js'
import { onEachDatabase } from '../../store/databases.js'
import { serveAccess } from '../../access/served.js'

const today = new Date('2026-08-01T12:00:00Z')

interface Told {
  readonly exit: number
  readonly out: readonly string[]
  readonly err: string
  /** What the command opened; empty where it opened nothing. */
  readonly opened: readonly unknown[]
}

/** Runs a command as the service does, `keys` and `logins` being the first of the arguments. */
async function run(
  args: readonly string[],
  given: { readonly store?: Store; readonly password?: string; readonly fault?: Error } = {},
): Promise<Told> {
  const out: string[] = []
  const err: string[] = []
  const opened: unknown[] = []
  const io: CommandIo = {
    out: (line) => out.push(line),
    err: (line) => err.push(line),
    databaseOf: (flagValue) => flagValue ?? 'x.db',
    readPassword: async () => given.password ?? 'secret',
    openStore: async (database) => {
      opened.push(database)
      if (given.fault !== undefined) throw given.fault
      // The test goes on with the store that the command closes.
      return { ...(given.store as Store), close: async () => {} }
    },
    now: () => today,
  }
  const [group, ...rest] = args
  const groups = { keys: keyCommands, logins: loginCommands, audit: auditCommands }
  const exit = await runCommand(groups[group as keyof typeof groups], rest, io)
  return { exit, out, err: err.join('\n'), opened }
}

await onEachDatabase(t, 'commands', async (t, open) => {
  const store = await open()
  await t.test('the audit is listed, as a table or as lines of JSON', async (t) => {
    await store.as({ principal: 'key:ci', requestId: 'r1' }).people.create({ name: 'SECRET' })
    await store.as({ principal: 'login:ann', requestId: 'r2' }).people.update('1', { age: 1 })
    const table = await run(['audit', 'list'], { store })
    t.strictSame([table.exit, table.out.length], [0, 3])
    t.match(table.out[0], /^AT +OPERATION +PERSON +BEFORE +AFTER +BY +REQUEST$/)
    t.match(table.out[1], /Z +create +1 +- +1 +key:ci +r1$/)
    t.match(table.out[2], /Z +update +1 +1 +2 +login:ann +r2$/)
    const flags = [
      '--principal',
      'login:ann',
      '--person',
      '1',
      '--since',
      '2026-01-01',
      '--limit',
      '5',
    ]
    const { out } = await run(['audit', 'list', '--json', ...flags], { store })
    t.equal(out.length, 1)
    t.match(JSON.parse(out[0] ?? ''), {
      operation: 'update',
      personId: '1',
      versionBefore: 1,
      versionAfter: 2,
      requestId: 'r2',
    })
    t.strictSame(
      (await run(['audit', 'list', '--json', '--until', '2026-01-01T00:00Z'], { store })).out,
      [],
    )
    t.notMatch(table.out.join(), 'SECRET')
    for (const mistake of [
      ['--person', 'x'],
      ['--principal', 'ann'],
      ['--since', 'today'],
      ['--until', '2026-13-01'],
      ['--limit', '0'],
    ]) {
      const { exit, err } = await run(['audit', 'list', ...mistake], { store })
      t.equal(exit, 2, mistake.join(' '))
      t.match(err, `${mistake[0]}: expected`)
    }
  })
  await t.test('a key is printed alone, once, and works', async (t) => {
    const { exit, out, err, opened } = await run(
      ['keys', 'create', '--name', 'ci', '--scope', 'write,read', '--limit', '60', '--db', 'x.db'],
      { store },
    )
    t.equal(exit, 0)
    t.same(opened, ['x.db'])
    t.equal(out.length, 1)
    t.match(out[0], /^gw_[\w-]{43}$/)
    t.match(err, /Created the key ci\./)
    t.notMatch(err, out[0] ?? '')
    t.match(await store.keys.find(hashApiKey(out[0] ?? '')), {
      name: 'ci',
      scopes: ['read', 'write'],
      limit: 60,
    })
    const served = await serveAccess(t, { store, now: () => today })
    t.equal((await served.run('mutation { write }', 'X-API-Key', out[0] ?? '')).status, 200)
    await served.access.close()
  })

  await t.test('a name is taken once', async (t) => {
    const told = await run(['keys', 'create', '--name=ci', '--scope=read'], { store })
    t.match(told, { exit: 1, out: [], err: /A key named ci exists or has existed/ })
    t.same(told.opened, [undefined], 'without --db the service chooses')
  })

  await t.test('keys are listed with what they used today, and revoked', async (t) => {
    await run(['keys', 'create', '--name', 'other.key', '--scope', 'read'], { store })
    t.match(await run(['keys', 'revoke', 'other.key'], { store }), { exit: 0, out: [] })
    const { exit, out } = await run(['keys', 'list'], { store })
    t.equal(exit, 0)
    const [titles, first, second] = out.map((line) => line.split(/ {2,}/))
    t.same(titles, ['NAME', 'SCOPES', 'LIMIT', 'CREATED', 'USED TODAY', 'REVOKED'])
    t.match(first, ['ci', 'read,write', '60', /^\d{4}-.*Z$/, '1', '-'])
    t.match(second, ['other.key', 'read', '-', /Z$/, '0', /Z$/])
    for (const name of ['other.key', 'nobody']) {
      t.match(await run(['keys', 'revoke', name], { store }), {
        exit: 1,
        err: `No active key is named ${name}`,
      })
    }
  })

  await t.test('a login is made, listed and removed, and works meanwhile', async (t) => {
    const args = ['logins', 'create', '--login', 'ann@example.org', '--scope', 'write']
    t.match(await run(args, { store, password: 'sécret' }), { exit: 0, out: [] })
    t.match(await run(args, { store }), {
      exit: 1,
      err: /The login ann@example\.org already exists/,
    })
    const served = await serveAccess(t, { store })
    t.equal((await served.logIn('ann@example.org', 'sécret')).status, 200)
    const { out } = await run(['logins', 'list'], { store })
    t.match(out, [/^LOGIN +SCOPES +CREATED$/, /^ann@example\.org  write +\d{4}-.*Z$/])
    t.notMatch(out.join('\n'), 'scrypt')
    t.match(await run(['logins', 'remove', 'ann@example.org'], { store }), { exit: 0 })
    t.match(await run(['logins', 'remove', 'ann@example.org'], { store }), {
      exit: 1,
      err: /No login is named ann@example\.org/,
    })
    t.equal((await served.logIn('ann@example.org', 'sécret')).status, 401)
  })
})

// oxfmt-ignore
const mistakes: [args: string, text: RegExp][] = [
  ['keys',                                              /keys requires a command: create, list, revoke/],
  ['keys make',                                         /Unknown command "keys make": expected one of create, /],
  ['keys constructor',                                  /Unknown command "keys constructor"/],
  ['keys create',                                       /--name is required: 1 to 64/],
  ['keys create --name -x --scope read',                /--name/],
  ['keys create --name a/b --scope read',               /--name: expected 1 to 64 .*, got "a\/b"/],
  ['keys create --name a',                              /--scope is required: read, write or read,write/],
  ['keys create --name a --scope admin',                /--scope: expected read/],
  ['keys create --name a --scope read,',                /--scope: expected read/],
  ['keys create --name a --scope read --limit 0',       /--limit: expected a whole number from 1 to 1000000, got "0"/],
  ['keys create --name a --scope read --limit 1.5',     /--limit: expected/],
  ['keys create --name a --scope read --limit 1000001', /--limit: expected/],
  ['keys create --name a --scope read --colour red',    /--colour/],
  ['keys create --name a --scope read more',            /Unexpected argument "more"/],
  ['keys create --name a --scope',                      /--scope/],
  ['keys create --name a --scope read --name b',        /--name was given twice/],
  ['keys revoke',                                       /Missing argument <name>/],
  ['keys revoke a b',                                   /Unexpected argument "b"/],
  ['keys list postgres://root:hidden@h/x',              /^An argument looks like a URL: .* with --db\.$/m],
  ['keys revoke postgres://root:hidden@h/x',            /^An argument looks like a URL/m],
  ['logins mysql:root:hidden@h/x',                      /^An argument looks like a URL/m],
  ['keys list --name a',                                /--name/],
  ['logins',                                            /logins requires a command/],
  ['logins create --scope read',                        /--login is required/],
  ['logins create --login a',                           /--scope is required/],
  ['logins create --login a --scope read --password x', /--password/],
  ['logins remove',                                     /Missing argument <login>/],
]
for (const [args, text] of mistakes) {
  t.test(`${args} is not understood, and nothing is opened`, async (t) => {
    const told = await run(args.split(' '))
    t.match(told, { exit: 2, out: [], opened: [] })
    t.match(told.err, text)
    t.match(told.err, /^Run "(keys|logins)[ \w]* --help" for usage\.$/m)
  })
}

t.test('a password that is none is not understood', async (t) => {
  const args = ['logins', 'create', '--login', 'a', '--scope', 'read']
  t.match(await run(args, { password: '' }), { exit: 2, err: /must not be empty/, opened: [] })
  t.match(await run(args, { password: 'x'.repeat(1_025) }), { exit: 2, err: /1024 bytes/ })
})

for (const args of [
  'keys --help',
  'keys -h',
  'keys create --help',
  'keys revoke --help --db x',
  'logins list -h',
]) {
  t.test(`${args} helps on stdout`, async (t) => {
    const told = await run(args.split(' '))
    t.match(told, { exit: 0, err: '', opened: [] })
    t.match(told.out.join('\n'), /--db <path\|url>/)
  })
}

t.test('a database that cannot be opened is reported', async (t) => {
  const fault = new StoreError('Cannot open the database x.db.')
  t.match(await run(['keys', 'list'], { fault }), { exit: 3, out: [], err: fault.message })
  const list = (): Promise<never> => Promise.reject(new StoreUnavailable('gone'))
  const store = { logins: { list } } as unknown as Store
  t.match(await run(['logins', 'list'], { store }), {
    exit: 3,
    err: /The database is not available: gone/,
  })
  await t.rejects(run(['keys', 'list'], { fault: new TypeError('a bug') }), /a bug/)
})

t.test('a database in memory is of no use to a command', async (t) => {
  const refusal = { name: 'StoreError', message: /:memory: .* belongs to one process/ }
  await t.rejects(createTerminal({}).openStore(':memory:'), refusal)
  await t.rejects(createTerminal({ DATABASE_URL: ':memory:' }).openStore(undefined), refusal)
})

t.test('a password comes from a pipe, less its last line break', async (t) => {
  // oxfmt-ignore
  const rows: [pieces: string[], password: string][] = [
    [['secret\n'],         'secret'],
    [['secret\r\n'],       'secret'],
    [['sec', 'ret'],       'secret'],
    [[' two\nlines \n\n'], ' two\nlines \n'],
    [[],                   ''],
  ]
  const talk = { write: () => t.fail('nobody is asked') } as unknown as NodeJS.WritableStream
  for (const [pieces, password] of rows) {
    const pipe = Readable.from(pieces.map((piece) => Buffer.from(piece)))
    t.equal(await readPassword(pipe as unknown as ReadStream, talk), password)
  }
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(1_000, 'x')
    })(),
  )
  t.ok((await readPassword(endless as unknown as ReadStream, talk)).length > 1_024)
})

t.test('a password that is typed is not shown', async (t) => {
  const shown = await typed(t, 'sécret\r')
  if (shown === undefined) return
  t.match(shown, /Password: \r?\n\["sécret"\]/)
  t.notMatch(shown.replace('["sécret"]', ''), 'cret')
  t.match(await typed(t, '\u0003'), /\[""\]/, 'Ctrl-C leaves it empty')
})

/** What a terminal shows while somebody types; undefined where there is no program that makes one. */
function typed(t: Test, keys: string): Promise<string | undefined> {
  const module = new URL('../../../commands/terminal.js', import.meta.url)
  const script = `import(${JSON.stringify(String(module))}).then(async ({ readPassword }) =>
    console.log(JSON.stringify([await readPassword(process.stdin, process.stderr)])))`
  const program = 'script'
  const child = spawn(program, ['-qec', `'${process.execPath}' -e "$CODE"`, '/dev/null'], {
    env: { ...process.env, CODE: script, NODE_OPTIONS: '', TERM: 'dumb' },
  })
  return new Promise((resolve) => {
    let shown = ''
    child.on('error', () => {
      t.comment('SKIPPED, since there is no program script')
      resolve(undefined)
    })
    child.stdout.on('data', (chunk: Buffer) => {
      const wasAsked = shown.includes('Password: ')
      shown += String(chunk)
      if (!wasAsked && shown.includes('Password: ')) child.stdin.write(keys)
    })
    child.on('close', () => resolve(shown))
  })
}
