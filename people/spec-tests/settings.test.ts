import { readFileSync, writeFileSync } from 'node:fs'
import t from 'tap'
import type { Environment } from '../command-line/read-words.js'
import { readSettings, settingTable, type ServiceSettings } from '../settings.js'
import { defaultOf, spellingOf, type Flag } from '../command-line/flag.js'
import { exitCodes } from '../exit-codes.js'

function read(args: readonly string[], env: Environment = {}): Partial<ServiceSettings> | string {
  const settings = readSettings(args, env)
  if (!settings.ok) return settings.reason
  return typeof settings.value === 'string' ? settings.value : settings.value
}

// oxfmt-ignore
const good: [name: keyof ServiceSettings, text: string, value: unknown][] = [
  ['port',           '0',                0],
  ['port',           '65535',            65_535],
  ['host',           '::1',              '::1'],
  ['database',       ':memory:',         ':memory:'],
  ['database',       'C:\\people.db',    'C:\\people.db'],
  ['database',       'postgresql://h/d', 'postgresql://h/d'],
  ['auth',           'off',              'off'],
  ['auth',           'writes',           'writes'],
  ['auth',           'all',              'all'],
  ['rateLimit',      'off',              'off'],
  ['rateLimit',      '1000000',          1_000_000],
  ['redisUrl',       'rediss://h/7',     'rediss://h/7'],
  ['natsUrl',        'nats://h:4222',    'nats://h:4222'],
  ['natsUrl',        'tls://u:p@h',      'tls://u:p@h'],
  ['streamsPerKey',  '0',                0],
  ['streamsPerAddress', '1000',          1000],
  ['jwtKey',         'x',                'x'],
  ['trustedProxies', '2',                2],
  ['metricsToken',   '0123456789abcdef', '0123456789abcdef'],
  ['keysPerPrincipal', '0',              0],
  ['keysPerPrincipal', '10000000',       10_000_000],
  ['auditDays',      '0',                0],
  ['auditDays',      '3650',             3_650],
  ['corsOrigins',    '*',                '*'],
  ['corsOrigins',    'https://a.example', ['https://a.example']],
  ['corsOrigins',    'https://a.example, http://localhost:5173', ['https://a.example', 'http://localhost:5173']],
  ['corsMaxAge',     '86400',            86_400],
  ['logLevel',       'silent',           'silent'],
]

// oxfmt-ignore
const wrong: [name: keyof ServiceSettings, text: string][] = [
  ['port',           '65536'],
  ['port',           '-1'],
  ['port',           '0x50'],
  ['port',           '80 '],
  ['port',           '1e3'],
  ['keysPerPrincipal', '10000001'],
  ['keysPerPrincipal', 'off'],
  ['auditDays',      '3651'],
  ['auditDays',      '-1'],
  ['corsOrigins',    'a.example'],
  ['corsOrigins',    'https://hidden/'],
  ['corsOrigins',    'https://hidden.X'],
  ['corsOrigins',    'https://hidden:443'],
  ['corsOrigins',    'https://hidden,'],
  ['corsOrigins',    'https://hidden,*'],
  ['corsOrigins',    'ftp://hidden'],
  ['corsOrigins',    Array.from({ length: 101 }, () => 'https://hidden').join(',')],
  ['corsMaxAge',     '86401'],
  ['auth',           'none'],
  ['auth',           'OFF'],
  ['rateLimit',      '0'],
  ['rateLimit',      '1000001'],
  ['rateLimit',      'on'],
  ['redisUrl',       'http://hidden'],
  ['redisUrl',       'redis://[hidden'],
  ['redisUrl',       'hidden:6379'],
  ['redisUrl',       'redis://me:hidden@of/hidden@h:6379'],
  ['redisUrl',       'redis://me:1?hidden@h:6379'],
  ['natsUrl',        'http://hidden'],
  ['natsUrl',        'hidden:4222'],
  ['natsUrl',        'nats://me:hidden@of/hidden@h'],
  ['streamsPerKey',  '-1'],
  ['streamsPerAddress', 'off'],
  ['host',           'postgres://root:hidden@h/x'],
  ['port',           'postgres://root:hidden@h/x'],
  ['trustedProxies', '17'],
  ['trustedProxies', 'true'],
  ['metricsToken',   'hidden'],
  ['metricsToken',   'hidden hidden hidden'],
  ['logLevel',       'verbose'],
]

function settingOf(name: keyof ServiceSettings): Flag<unknown> {
  return (settingTable as unknown as { readonly [name: string]: Flag<unknown> })[name]!
}

for (const [name, text, value] of good) {
  const { flag, env = '' } = settingOf(name)
  t.test(`${env}=${text} is understood, as a flag too`, async (t) => {
    t.match(read([], { [env]: text }), { [name]: value })
    if (flag === undefined) return
    t.match(read([`--${flag}=${text}`]), { [name]: value })
    t.match(read([`--${flag}`, text], { [env]: 'not looked at' }), { [name]: value })
  })
}

for (const [name, text] of wrong) {
  const { flag, env = '', expected, isSecret } = settingOf(name)
  t.test(`${env}=${text} is refused by name, with what was expected`, async (t) => {
    const isHidden = isSecret || text.includes('hidden')
    const shown = isHidden ? 'something else' : JSON.stringify(text)
    t.equal(read([], { [env]: text }), `${env}: expected ${expected}, got ${shown}.`)
    if (flag !== undefined) {
      t.equal(read([`--${flag}=${text}`]), `--${flag}: expected ${expected}, got ${shown}.`)
    }
    t.notMatch(read([], { [env]: text }), 'hidden')
  })
}

t.test('docs/people.md has every setting and exit code', async (t) => {
  const page = new URL('../../../docs/people.md', import.meta.url)
  const text = readFileSync(page, 'utf8')
  const settings = Object.values<Flag<unknown>>(settingTable).map((row) => [
    row.flag === undefined ? '' : `\`${spellingOf(row)}\``,
    `\`${row.env}\``,
    defaultOf(row),
    row.doc,
  ])
  const codes = Object.values(exitCodes).map(({ code, meaning }) => [String(code), meaning])
  const made = [
    table('settings', ['Flag', 'Variable', 'Default', 'Meaning'], settings),
    table('exit codes', ['Exit code', 'Meaning'], codes),
  ].reduce(
    (before, [name, lines]) =>
      before.replace(
        new RegExp(`(<!-- generated: ${name} -->\\n)[^]*?(<!-- end -->)`),
        (_, start: string, end: string) => `${start}${lines}${end}`,
      ),
    text,
  )
  if (process.env['UPDATE'] === '1') writeFileSync(page, made)
  t.match(text, /<!-- generated: settings -->[^]*<!-- generated: exit codes -->/)
  t.equal(
    readFileSync(page, 'utf8'),
    made,
    'UPDATE=1 node people/dist/spec-tests/settings.test.js writes it',
  )
})

function table(
  name: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): readonly [name: string, lines: string] {
  const lines = [head, ...rows].map(
    (cells) => `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |\n`,
  )
  return [name, [lines[0], `|${'---|'.repeat(head.length)}\n`, ...lines.slice(1)].join('')]
}

t.test('secrets have no flag, since a list of processes would show them', async (t) => {
  for (const name of ['jwtKey', 'metricsToken', 'redisUrl', 'natsUrl'] as const) {
    t.match(settingTable[name], { isSecret: true, flag: undefined })
  }
})

t.test('what is not set has its default, also where a variable is empty', async (t) => {
  const defaults = {
    port: 4000,
    host: 'localhost',
    database: 'data/people.db',
    auth: 'writes',
    rateLimit: undefined,
    seed: true,
    ide: 'on',
    redisUrl: undefined,
    natsUrl: undefined,
    streamsPerKey: 20,
    streamsPerAddress: 100,
    jwtKey: undefined,
    trustedProxies: 0,
    metricsToken: undefined,
    keysPerPrincipal: 100_000,
    auditDays: 90,
    corsOrigins: undefined,
    corsMaxAge: 600,
    logLevel: 'info',
    isProduction: false,
  }
  t.same(read([]), defaults)
  const names = Object.values<Flag<unknown>>(settingTable).map(({ env = '' }) => env)
  t.same(read([], Object.fromEntries(names.map((name) => [name, '']))), defaults)
})

t.test('a seed must be requested in production', async (t) => {
  // oxfmt-ignore
  const rows: [args: string[], env: Environment, seed: boolean][] = [
    [[],            {},                                       true],
    [['--no-seed'], {},                                       false],
    [[],            { SEED: 'false' },                        false],
    [[],            { SEED: '0' },                            false],
    [['--seed'],    { SEED: '0' },                            true],
    [[],            { NODE_ENV: 'production' },               false],
    [['--seed'],    { NODE_ENV: 'production' },               true],
    [[],            { NODE_ENV: 'production', SEED: '1' },    true],
    [['--no-seed'], { NODE_ENV: 'production', SEED: 'true' }, false],
  ]
  for (const [args, env, seed] of rows) t.match(read(args, env), { seed })
  t.equal(read([], { SEED: 'yes' }), 'SEED: expected true or false, got "yes".')
})

t.test('the IDE must be requested in production', async (t) => {
  // oxfmt-ignore
  const rows: [args: string[], env: Environment, ide: string][] = [
    [[],              {},                                    'on'],
    [['--ide=off'],   {},                                    'off'],
    [[],              { IDE: 'off' },                        'off'],
    [['--ide', 'on'], { IDE: 'off' },                        'on'],
    [[],              { NODE_ENV: 'production' },            'off'],
    [[],              { NODE_ENV: 'production', IDE: 'on' }, 'on'],
  ]
  for (const [args, env, ide] of rows) t.match(read(args, env), { ide })
  t.equal(read([], { IDE: 'yes' }), 'IDE: expected one of on, off, got "yes".')
})

for (const [value, isProduction] of /* oxfmt-ignore */ [
  ['production',  true],
  ['Production',  true],
  ['PRODUCTION ', true],
  ['development', false],
  ['test',        false],
] as const) {
  t.test(`NODE_ENV='${value}' is ${isProduction ? '' : 'not '}production`, async (t) => {
    t.match(read([], { NODE_ENV: value }), { isProduction, seed: !isProduction })
  })
}

t.test('words that are none are refused', async (t) => {
  // oxfmt-ignore
  const rows: [args: string[], reason: RegExp][] = [
    [['--prot', '1'],                /Unknown option '--prot'/],
    [['-p', '1'],                    /Unknown option '-p'/],
    [['--jwt-key=hidden'],           /^(?!.*hidden).*Unknown option '--jwt-key'/],
    [['serve'],                      /Unexpected argument "serve"/],
    [['postgres://root:hidden@h/x'], /^An argument looks like a URL: .* with --db\.$/],
    [['--port'],                     /'--port <value>' argument missing/],
    [['--port', '--host', 'x'],      /'--port' argument is ambiguous/],
    [['--no-port'],                  /Unknown option '--no-port'/],
    [['--seed=1'],                   /'--seed' does not take an argument/],
    [['--port', '1', '--port', '1'], /^--port was given twice/],
    [['--seed', '--no-seed'],        /^--seed was given twice/],
    [['--db', ''],                   /^--db: expected a path/],
    [['--host='],                    /^--host: expected a host name/],
  ]
  for (const [args, reason] of rows) t.match(read(args), reason, args.join(' '))
})

t.test('help and version go before what else is wrong', async (t) => {
  t.equal(read(['--help', '--port', 'x']), 'help')
  t.equal(read(['-h']), 'help')
  t.equal(read(['--version'], { PORT: 'x' }), 'version')
})
