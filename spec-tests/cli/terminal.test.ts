import t from 'tap'
import { screenOf, type Environment } from '../../src/cli/process/terminal.js'
import { listen } from './listen.js'
import { pipe, say } from './say.js'

const tty = { isTTY: true, columns: 120 }
const shown = { isTerminal: true, columns: 120, colour: true }

// oxfmt-ignore
const screens: readonly [name: string, stream: Parameters<typeof screenOf>[0], env: Environment, screen: object][] = [
  ['a terminal',                  tty,             {},                                     shown],
  ['a pipe',                      {},              {},                                     pipe],
  ['NO_COLOR',                    tty,             { NO_COLOR: '1' },                      { ...shown, colour: false }],
  ['an empty NO_COLOR',           tty,             { NO_COLOR: '' },                       shown],
  ['FORCE_COLOR in a pipe',       {},              { FORCE_COLOR: '1' },                   { ...pipe, colour: true }],
  ['FORCE_COLOR=0',               tty,             { FORCE_COLOR: '0' },                   { ...shown, colour: false }],
  ['both',                        tty,             { FORCE_COLOR: '1', NO_COLOR: '1' },    { ...shown, colour: false }],
  ['a dumb terminal',             tty,             { TERM: 'dumb' },                       { ...shown, isTerminal: false, colour: false }],
  ['a terminal of unknown width', { isTTY: true }, {},                                     { ...shown, columns: 80 }],
]

for (const [name, stream, env, screen] of screens) {
  void t.test(`the screen of ${name}`, async (t) => t.same(screenOf(stream, env), screen))
}

const request = ['--', '--json', '{"query":"{ nope(a: 1) }"}', '-H', 'Accept: text/csv, */*;q=0.1']

// oxfmt-ignore
const commands: readonly (readonly string[])[] = [
  ['explain', '422'],
  ['explain', '--standard', ...request],
  ['explain', 'URL', ...request],
  ['doctor', '--url', 'URL'],
  ['doctor', '.'],
]

for (const words of commands) {
  void t.test(`graphwire ${words.slice(0, 2).join(' ')} fits the terminal`, async (t) => {
    const url = await listen(t, (_, answer) => answer.end('{"data":{}}'))
    const given = words.map((word) => (word === 'URL' ? url : word))
    const wordsOf: string[] = []
    for (const columns of [40, 100]) {
      const { out } = await say(given, {}, { columns })
      // Bytes of both sides are shown as they are, and with the time.
      const withoutBody = out.replace(/\n\{[^]*$/, '')
      const lines = withoutBody.split('\n').filter((line) => !/^[<>]/.test(line))
      for (const line of lines) {
        // What has no space cannot be broken, such as a URL.
        t.ok(line.length <= columns || !/[^ ] [^ ]/.test(line.replace(/^ *-> /, '')), line)
      }
      wordsOf.push(lines.join(' ').replaceAll(/\s+/g, ' '))
    }
    t.equal(wordsOf[0], wordsOf[1])
  })
}

void t.test('colours change nothing else', async (t) => {
  const words = ['explain', '--standard', ...request]
  const { out } = await say(words, {}, { colour: true })
  t.ok(out.startsWith('\u001b[31m422: '))
  // oxlint-disable-next-line no-control-regex
  t.equal(out.replaceAll(/\u001b\[\d+m/g, ''), (await say(words)).out)
})
