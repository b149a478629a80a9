import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { runInit, type Asks } from '../../../../src/cli/init/run-init.js'
import { templateNames, templates, type TemplateName } from '../../../../src/cli/init/templates.js'
import { say, terminalWith } from '../../../cli/say.js'
import { processEnvironment } from '../../process-environment.js'
import { root, startRuntime } from '../../runtimes/runtime.js'
import { temporaryFolder } from '../../temporary-folder.js'
import { typeKeys } from '../../type-keys.js'
import { ask } from '../binary.js'

/** A project of a template, with the packages of this checkout. */
async function init(t: Test, name: TemplateName): Promise<string> {
  const folder = join(temporaryFolder(t), 'My API')
  const { code, err } = await say(['init', folder, '--template', name, '--yes'])
  t.equal(code, 0, err)
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies: { [name: string]: string }
  }
  for (const dependency of Object.keys(manifest.dependencies)) {
    const link = join(folder, 'node_modules', dependency)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(placeOf(dependency), link)
  }
  return folder
}

/** The copy of graphql is the one under test, which graphwire loads too. */
function placeOf(dependency: string): string {
  if (dependency === 'graphwire') return root
  if (dependency !== 'graphql') return join(root, 'node_modules', dependency)
  const path = fileURLToPath(import.meta.resolve('graphql'))
  return path.replace(/(\/node_modules\/graphql(?:-16)?)\/.*/, '$1')
}

/** A process on its own: the runner of Node must not take the runner of these tests for its parent. */
function environment(): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _, ...env } = processEnvironment()
  return { ...env, PORT: '0' }
}

/** All files but those of packages, whose links some versions of Node would follow. */
function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.name === 'node_modules') return []
    return entry.isDirectory() ? listFiles(path) : [path]
  })
}

for (const name of templateNames) {
  void t.test(`${name} has at most five files, of which one is a test that passes`, async (t) => {
    const folder = await init(t, name)
    const files = listFiles(folder)
    t.ok(files.length <= 5, files.join(' '))
    for (const file of files) {
      const text = readFileSync(file, 'utf8')
      t.ok(text.endsWith('\n'))
      t.notMatch(text.replace(/'[./]+\/api\.mjs'/, ''), '../', `${file} names nothing outside`)
    }
    const options = { cwd: folder, env: environment(), encoding: 'utf8' } as const
    const { status, stdout } = spawnSync(process.execPath, ['--test'], options)
    t.equal(status, 0, stdout)
    t.match(stdout, /pass 2\b/)
  })
}

const query = '{ hello(name: "you") }'
const greeting = '{"data":{"hello":"Hello, you!"}}'

// Those of other hosts are files of examples, whose tests start them.
void t.test('node starts and serves', async (t) => {
  t.equal(templates.node.scripts['start'], 'node server.mjs')
  const options = { cwd: await init(t, 'node'), env: environment() }
  const { url } = await startRuntime(t, [process.execPath, 'server.mjs'], options)
  t.match(url, /^http:\/\/\S+:\d+\/graphql$/)
  t.match(await ask(url, query), { status: 200, body: greeting })
  t.match(await ask(url, '{ bye }'), { status: 422 })
})

void t.test('the route of next responds to every method that Next knows', async (t) => {
  const file = join(await init(t, 'next'), 'app/graphql/route.js')
  const route = (await import(pathToFileURL(file).href)) as {
    readonly [method: string]: (request: Request) => Promise<Response>
  }
  const methods = Object.keys(route).toSorted().join(' ')
  t.equal(methods, 'DELETE GET HEAD OPTIONS PATCH POST PUT')
  const headers = { 'Content-Type': 'application/json' }
  const posted = { method: 'POST', headers, body: JSON.stringify({ query }) }
  const response = await route['POST']?.(new Request('http://localhost:4000/graphql', posted))
  t.same([response?.status, await response?.text()], [200, greeting])
})

void t.test('the manifest names the project, and the versions that graphwire needs', async (t) => {
  const folder = await init(t, 'node')
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string
    engines: object
    peerDependencies: { graphql: string }
  }
  t.match(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')), {
    name: 'my-api',
    type: 'module',
    engines: own.engines,
    dependencies: { graphql: own.peerDependencies.graphql, graphwire: `^${own.version}` },
  })
})

void t.test('the worker is deployed as it is started, by the name of the project', async (t) => {
  const text = readFileSync(join(await init(t, 'worker'), 'package.json'), 'utf8')
  const { deploy, start } = (JSON.parse(text) as { scripts: Record<string, string> }).scripts
  const flags = /^wrangler dev (.*) --port 4000$/.exec(start ?? '')?.[1]
  t.equal(deploy, `wrangler deploy ${flags} --name my-api`)
})

void t.test('nothing is overwritten, and nothing is written beside what is there', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'api.mjs'), 'mine')
  const { code, err } = await say(['init', folder, '--yes'])
  t.equal(code, 3)
  t.match(err, 'api.mjs exists already, and init never overwrites. Choose another folder.')
  t.strictSame(readdirSync(folder), ['api.mjs'])
  t.equal(readFileSync(join(folder, 'api.mjs'), 'utf8'), 'mine')
})

void t.test('it says what to do next', async (t) => {
  const parent = temporaryFolder(t)
  const words = { a: `${parent}/a`, "it's": String.raw`'${parent}/it'\''s'` }
  for (const [name, word] of Object.entries(words)) {
    const { out } = await say(['init', join(parent, name), '--yes'])
    t.match(out, `Next:\n  cd ${word}\n  npm install\n  npm test\n  npm start\n`)
  }
})

function flagsOf(template?: TemplateName) {
  return { template: { value: template, from: undefined }, yes: { value: false, from: undefined } }
}

const quiet = terminalWith()

function asked(t: Test, answers: string[], template?: TemplateName) {
  const folder = join(temporaryFolder(t), 'a')
  const questions: string[] = []
  const reply: Asks = async (question) => {
    questions.push(question)
    return answers.shift() ?? ''
  }
  const done = runInit({ flags: flagsOf(template), words: [folder], terminal: quiet }, reply)
  return { done, questions, files: () => readdirSync(folder).length }
}

void t.test('on a terminal it asks for the template, and before it writes', async (t) => {
  const { done, questions, files } = asked(t, ['express', ''])
  t.equal(await done, 'ok')
  t.match(questions[0], /^ {2}node .*\n {2}express +Express 5\n/)
  t.match(questions[1], /^Write package\.json, .* to .*\? \[Y\/n\] $/)
  t.equal(files(), 5)
})

void t.test('an answer of no writes nothing, and an unknown template is refused', async (t) => {
  const refused = asked(t, ['n'], 'node')
  t.equal(await refused.done, 'interrupted')
  t.throws(refused.files)
  await t.rejects(asked(t, ['rails']).done, { message: /Unknown template "rails"/ })
})

void t.test('without a terminal it needs --yes', async (t) => {
  const done = runInit({ flags: flagsOf(), words: ['x'], terminal: quiet }, false)
  await t.rejects(done, { kind: 'usage', message: /use --yes/ })
})

void t.test('Ctrl-C and Ctrl-D at a question interrupt it', async (t) => {
  const command = `'${process.execPath}' '${join(root, 'dist/src/cli/main.js')}' init`
  const options = { cwd: temporaryFolder(t), env: { ...processEnvironment(), TERM: 'xterm' } }
  for (const key of ['\u0003', '\u0004']) {
    const ended = await typeKeys(t, command, ['[node]', key], options)
    if (ended === undefined) return
    t.match(ended, { code: 130, shown: /Template \[node\]: [^a-z]*$/ })
  }
})
