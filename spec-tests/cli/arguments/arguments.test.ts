import t from 'tap'
import { readArguments } from '../../../src/cli/arguments/read-flags.js'
import * as types from '../../../src/cli/arguments/flag.js'
import type { CliError } from '../../../src/cli/process/exit.js'

interface Flags {
  readonly port: number
  readonly name: string | undefined
  readonly watch: boolean
  readonly color: boolean
  readonly edition: 'new' | 'old'
  readonly tag: readonly string[]
}

function flag<Value>(type: types.FlagType<Value>, initial: Value, ...env: string[]) {
  return { type, default: initial, env, group: 'All', doc: 'A flag.' }
}

const tags = types.listType(types.textType('tag', 'a tag'))
const flags: types.FlagTable<Flags> = {
  port: flag(types.integerType(0, 99), 40, 'APP_PORT', 'PORT'),
  name: flag<string | undefined>(types.textType('file', 'a file'), undefined, 'APP_NAME'),
  watch: flag(types.switchType, false, 'APP_WATCH'),
  color: flag(types.switchType, true, 'APP_COLOR'),
  edition: flag(types.choiceType('new', 'old'), 'new', 'APP_EDITION'),
  tag: flag<readonly string[]>(tags, [], 'APP_TAG'),
}

/** What is read of the flags that are given, or the message of the refusal. */
function see(words: readonly string[], env: { readonly [name: string]: string } = {}) {
  try {
    const read = readArguments(words, flags, env)
    const changed = Object.entries(read.flags).filter(([, { from }]) => from !== undefined)
    return {
      values: Object.fromEntries(changed.map(([name, { value }]) => [name, value])),
      from: Object.fromEntries(changed.map(([name, { from }]) => [name, from ?? ''])),
      positionals: read.words,
    }
  } catch (error) {
    const { kind, message } = error as CliError
    return `${kind}: ${message}`
  }
}

// oxfmt-ignore
const accepted: readonly [words: readonly string[], env: { readonly [name: string]: string }, values: object, positionals: readonly string[]][] = [
  [[],                              {},                                 {},                            []],
  [['--port', '5'],                 {},                                 { port: 5 },                   []],
  [['--port=5'],                    {},                                 { port: 5 },                   []],
  [['a', '--port', '5', 'b'],       {},                                 { port: 5 },                   ['a', 'b']],
  [['--name', 'x=y'],               {},                                 { name: 'x=y' },               []],
  [['--name=x=y'],                  {},                                 { name: 'x=y' },               []],
  [['--name=--port'],               {},                                 { name: '--port' },            []],
  [['--name', '-'],                 {},                                 { name: '-' },                 []],
  [['-'],                           {},                                 {},                            ['-']],
  [['--watch', 'a'],                {},                                 { watch: true },               ['a']],
  [['--no-watch'],                  {},                                 { watch: false },              []],
  [['--no-color'],                  {},                                 { color: false },              []],
  [['--color=false'],               {},                                 { color: false },              []],
  [['--color=1'],                   {},                                 { color: true },               []],
  [['--edition', 'old'],            {},                                 { edition: 'old' },            []],
  [['--tag', 'a', '--tag=b,c'],     {},                                 { tag: ['a', 'b', 'c'] },      []],
  [['--', '--port', '5'],           {},                                 {},                            ['--port', '5']],
  [['--watch', '--', '--no-watch'], {},                                 { watch: true },               ['--no-watch']],
  [[],                              { APP_PORT: '6', PORT: '7' },       { port: 6 },                   []],
  [[],                              { PORT: '7' },                      { port: 7 },                   []],
  [[],                              { APP_PORT: '', PORT: '7' },        { port: 7 },                   []],
  [[],                              { APP_PORT: '' },                   {},                            []],
  [['--port', '5'],                 { APP_PORT: '6' },                  { port: 5 },                   []],
  [['--port', '5'],                 { APP_PORT: 'wrong' },              { port: 5 },                   []],
  [['--no-watch'],                  { APP_WATCH: 'true' },              { watch: false },              []],
  [[],                              { APP_WATCH: '1', APP_COLOR: '0' }, { watch: true, color: false }, []],
  [[],                              { APP_TAG: 'a,b' },                 { tag: ['a', 'b'] },           []],
]

for (const [words, env, values, positionals] of accepted) {
  void t.test(`${JSON.stringify(words)} with ${JSON.stringify(env)} is read`, async (t) => {
    const seen = see(words, env)
    t.match(seen, { values, positionals })
    t.same(typeof seen === 'string' ? seen : seen.values, values, 'and nothing else is given')
  })
}

void t.test('a value knows the flag or the variable that it came from', async (t) => {
  const seen = see(['--no-color', '--port=5'], { APP_NAME: 'x', PORT: '9' })
  t.match(seen, { from: { color: '--no-color', port: '--port', name: 'APP_NAME' } })
})

// oxfmt-ignore
const refused: readonly [words: readonly string[], env: { readonly [name: string]: string }, message: string][] = [
  [['--prot', '5'],                {}, 'Unknown flag --prot. Did you mean --port?'],
  [['--colour'],                   {}, 'Unknown flag --colour. Did you mean --color?'],
  [['--no-colour'],                {}, 'Unknown flag --no-colour. Did you mean --no-color?'],
  [['--zzz'],                      {}, 'Unknown flag --zzz.'],
  [['-p'],                         {}, 'Unknown flag -p.'],
  [['--__proto__'],                {}, 'Unknown flag --__proto__.'],
  [['--no-port'],                  {}, 'Unknown flag --no-port. Did you mean --port?'],
  [['--no-watch=1'],               {}, '--no-watch takes no value.'],
  [['--port'],                     {}, '--port requires a value: a whole number from 0 to 99.'],
  [['--port', '--watch'],          {}, '--port requires a value: a whole number from 0 to 99.'],
  [['--port', '1', '--port', '1'], {}, '--port was given twice.'],
  [['--watch', '--no-watch'],      {}, '--watch was given twice.'],
  [['--port', 'x'],                {}, '--port: expected a whole number from 0 to 99, got "x".'],
  [['--port='],                    {}, '--port: expected a whole number from 0 to 99, got "".'],
  [['--port', '100'],              {}, '--port: expected a whole number from 0 to 99, got "100".'],
  [['--port', ' 1'],               {}, '--port: expected a whole number from 0 to 99, got " 1".'],
  [['--name='],                    {}, '--name: expected a file, got "".'],
  [['--watch=yes'],                {}, '--watch: expected true or false, got "yes".'],
  [['--edition', 'mid'],           {}, '--edition: expected new or old, got "mid".'],
  [['--tag', 'a,,b'],              {}, '--tag: expected a list of a tag, got "a,,b".'],
  [[],                             { PORT: 'x' }, 'PORT: expected a whole number from 0 to 99, got "x".'],
  [[],                             { APP_WATCH: 'on' }, 'APP_WATCH: expected true or false, got "on".'],
]

for (const [words, env, message] of refused) {
  void t.test(`${JSON.stringify(words)} with ${JSON.stringify(env)} is refused`, async (t) => {
    t.equal(see(words, env), `usage: ${message}`)
  })
}
