import { readFileSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { readSettings, settingTable, type ServiceSettings } from '../settings.js'
import { defaultOf, spellingOf, type Flag } from '../command-line.js'

function read(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Partial<ServiceSettings> | string {
  const settings = readSettings(args, env)
  return settings.ok ? settings.value : settings.reason
}

// oxfmt-ignore
const good: [name: keyof ServiceSettings, text: string, value: unknown][] = [
  ['port',           '65535',            65_535],
  ['host',           '::1',              '::1'],
  ['database',       'postgresql://h/d', 'postgresql://h/d'],
  ['auth',           'writes',           'writes'],
  ['rateLimit',      'off',              'off'],
  ['rateLimit',      '1000000',          { perKey: 1_000_000, perAddress: 1_000_000 }],
  ['redisUrl',       'rediss://h/7',     'rediss://h/7'],
  ['natsUrl',        'nats://h:4222',    'nats://h:4222'],
  ['natsUrl',        'tls://u:p@h',      'tls://u:p@h'],
  ['streamsPerKey',  '0',                0],
  ['streamsPerAddress', '1000',          1000],
  ['jwtKey',         'x',                'x'],
  ['trustedProxies', '2',                2],
  ['metricsToken',   '0123456789abcdef', '0123456789abcdef'],
  ['keysPerPrincipal', '10000000',       10_000_000],
  ['auditDays',      '3650',             3_650],
  ['corsOrigins',    '*',                '*'],
  ['corsOrigins',    'https://a.example, http://localhost:5173', ['https://a.example', 'http://localhost:5173']],
  ['logLevel',       'silent',           'silent'],
]

// oxfmt-ignore
const wrong: [name: keyof ServiceSettings, text: string][] = [
  ['port',           '65536'],
  ['port',           '0x50'],
  ['keysPerPrincipal', '10000001'],
  ['auditDays',      '3651'],
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
  ['rateLimit',      '0'],
  ['rateLimit',      '1000001'],
  ['redisUrl',       'http://hidden'],
  ['redisUrl',       'redis://[hidden'],
  ['redisUrl',       'redis://me:hidden@of/hidden@h:6379'],
  ['redisUrl',       'redis://me:1?hidden@h:6379'],
  ['natsUrl',        'http://hidden'],
  ['natsUrl',        'nats://me:hidden@of/hidden@h'],
  ['streamsPerAddress', 'off'],
  ['trustedProxies', '17'],
  ['metricsToken',   'hidden'],
  ['metricsToken',   'hidden hidden hidden'],
  ['logLevel',       'verbose'],
]

function settingOf(name: keyof ServiceSettings): Flag<unknown> {
  return (settingTable as unknown as { readonly [name: string]: Flag<unknown> })[name]!
}

t.test('a setting is understood as a variable, and as a flag', async (t) => {
  for (const [name, text, value] of good) {
    const { flag, env = '' } = settingOf(name)
    t.match(read([], { [env]: text }), { [name]: value }, `${env}=${text}`)
    if (flag === undefined) continue
    t.match(read([`--${flag}=${text}`]), { [name]: value })
    t.match(read([`--${flag}`, text], { [env]: 'not looked at' }), { [name]: value })
  }
})

t.test('a wrong setting is refused by name, with what was expected', async (t) => {
  for (const [name, text] of wrong) {
    const { flag, env = '', expected } = settingOf(name)
    const refused = `: expected ${expected}.`
    t.equal(read([], { [env]: text }), env + refused)
    if (flag !== undefined) t.equal(read([`--${flag}=${text}`]), `--${flag}${refused}`)
  }
})

t.test('docs/people.md has every setting', async (t) => {
  const page = new URL('../../../docs/people.md', import.meta.url)
  const text = readFileSync(page, 'utf8')
  const rows = Object.values<Flag<unknown>>(settingTable).map((row) => {
    const flag = row.flag === undefined ? '' : `\`${spellingOf(row)}\``
    const cells = [flag, `\`${row.env}\``, defaultOf(row), row.doc]
    return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |\n`
  })
  const table = `| Flag | Variable | Default | Meaning |\n|---|---|---|---|\n${rows.join('')}`
  const place = /(?<=<!-- generated: settings -->\n)[^]*?(?=<!-- end -->)/
  const updated = text.replace(place, () => table)
  if (process.env['UPDATE'] === '1') writeFileSync(page, updated)
  const [written] = place.exec(readFileSync(page, 'utf8')) ?? []
  t.equal(written, table, 'UPDATE=1 node people/dist/spec-tests/settings.test.js writes it')
})

t.test('secrets have no flag, since a list of processes would show them', async (t) => {
  for (const name of ['jwtKey', 'metricsToken', 'redisUrl', 'natsUrl'] as const) {
    t.equal(settingTable[name].flag, undefined)
  }
})

t.test('what is not set has its default, also where a variable is empty', async (t) => {
  const defaults = read([])
  t.match(defaults, { port: 4000, host: 'localhost', auth: 'writes', database: 'data/people.db' })
  t.match(defaults, { seed: true, ide: 'on', logLevel: 'info', isProduction: false })
  const names = Object.values<Flag<unknown>>(settingTable).map(({ env = '' }) => env)
  t.same(read([], Object.fromEntries(names.map((name) => [name, '']))), defaults)
})

t.test('a seed and the IDE must be requested in production', async (t) => {
  const production = { NODE_ENV: 'production' }
  // oxfmt-ignore
  const rows: [args: string[], env: NodeJS.ProcessEnv, value: Partial<ServiceSettings>][] = [
    [['--no-seed'], {},                                { seed: false }],
    [[],            { SEED: 'false' },                 { seed: false }],
    [['--seed'],    { SEED: '0' },                     { seed: true }],
    [['--seed'],    production,                        { seed: true }],
    [[],            { ...production, SEED: '1' },      { seed: true }],
    [['--no-seed'], { ...production, SEED: 'true' },   { seed: false }],
    [['--ide=off'], {},                                { ide: 'off' }],
    [[],            { IDE: 'off' },                    { ide: 'off' }],
    [[],            production,                        { ide: 'off', seed: false }],
    [[],            { ...production, IDE: 'on' },      { ide: 'on' }],
    [[],            { NODE_ENV: 'Production' },        { isProduction: true, seed: false }],
    [[],            { NODE_ENV: 'PRODUCTION ' },       { isProduction: true, seed: false }],
    [[],            { NODE_ENV: 'development' },       { isProduction: false, seed: true }],
  ]
  for (const [args, env, value] of rows) t.match(read(args, env), value)
  t.equal(read([], { SEED: 'yes' }), 'SEED: expected true or false.')
  t.equal(read([], { IDE: 'yes' }), 'IDE: expected one of on, off.')
})

t.test('unknown arguments are refused', async (t) => {
  // oxfmt-ignore
  const rows: [args: string[], reason: RegExp][] = [
    [['--prot', '1'],                /Unknown option '--prot'/],
    [['-p', '1'],                    /Unknown option '-p'/],
    [['--jwt-key=hidden'],           /^(?!.*hidden).*Unknown option '--jwt-key'/],
    [['serve'],                      /Unexpected argument/],
    [['postgres://root:hidden@h/x'], /^Unexpected argument.* with --db\.$/],
    [['--port'],                     /'--port <value>' argument missing/],
    [['--port', '--host', 'x'],      /'--port' argument is ambiguous/],
    [['--no-port'],                  /Unknown option '--no-port'/],
    [['--seed=1'],                   /'--seed' does not take an argument/],
    [['--db', ''],                   /^--db: expected a path/],
    [['--host='],                    /^--host: expected a host name/],
  ]
  for (const [args, reason] of rows) t.match(read(args), reason, args.join(' '))
})

t.test('help and version come before other mistakes', async (t) => {
  t.equal(read(['--help', '--port', 'x']), 'help')
  t.equal(read(['-h']), 'help')
  t.equal(read(['--version'], { PORT: 'x' }), 'version')
})
