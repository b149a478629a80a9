import { execFile, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { findProgram, programsAreRequired } from '../clients/find-program.js'
import { readRoot } from '../../../site/pages/read-root.js'
import { findPort } from '../cli/conform/conform-target.js'
import { root } from '../runtimes/runtime.js'
import { temporaryFolder } from '../temporary-folder.js'

const page = readRoot('docs/start.md')

function blocks(language: string): string[] {
  return [...page.matchAll(/```(\w+)\n([^]*?)```/g)]
    .filter(([, found]) => found === language)
    .map(([, , content = '']) => content)
}

const hasCurl = findProgram('curl') !== undefined
if (programsAreRequired) t.ok(hasCurl, 'the package curl is installed')
const skip = !hasCurl && 'NO CURL HERE: install the package curl to run the commands of the page.'

// Without the hooks of tap and the redirection of the matrix.
const { NODE_OPTIONS: _, ...env } = process.env

void t.test('every command of the start page works as it says', { skip }, async (t) => {
  const folder = temporaryFolder(t)
  const graphql = JSON.parse(readFileSync(majorUnderTest(), 'utf8')) as { version: string }
  await run(root, `'${process.execPath}' release/stage.mjs '${folder}/staged'`)
  await run(`${folder}/staged`, `npm pack --pack-destination '${folder}'`)
  await run(join(root, 'packages/ide'), `npm pack --pack-destination '${folder}'`)
  const ports = [await findPort(), await findPort(), await findPort()]
  const packages = `'${folder}'/graphwire-[0-9]*.tgz graphql@${graphql.version}`
  const mend = (command: string): string =>
    command
      .replace('graphwire graphql', `--prefer-offline ${packages}`)
      .replace('@graphwire/ide', `--prefer-offline '${folder}'/graphwire-ide-*.tgz`)
      .replaceAll(/400[012]/g, (port) => String(ports[Number(port) - 4000]))

  const [install = '', ...commands] = blocks('sh')
  await run(folder, mend(install))
  const project = join(folder, 'hello')
  const [server = ''] = blocks('js')
  const ownPort = server.replace('serve({', `serve({ port: ${ports[0]},`)
  writeFileSync(join(project, 'server.mjs'), ownPort)
  const [sdl = ''] = blocks('graphql')
  const [answer = '', data = ''] = blocks('json')
  writeFileSync(join(project, 'schema.graphql'), sdl)
  writeFileSync(join(project, 'data.json'), data)

  const outputs: string[] = []
  for (const command of commands.map(mend)) {
    if (/^node | serve /.test(command)) await startServer(t, project, command)
    else outputs.push(await run(project, command))
  }
  const [hello = '', nope, explained, people = '', , looked, conformed, ...more] = outputs
  t.strictSame(JSON.parse(hello), JSON.parse(answer))
  t.match(nope, /^HTTP\/1\.1 422 [^]*"GRAPHQL_VALIDATION_FAILED"/)
  t.match(explained, /^422 Unprocessable Content\n/)
  t.strictSame(JSON.parse(people), { data: JSON.parse(data) as unknown })
  t.match(looked, /^HTTP\/1\.1 200 [^]*\ncontent-type: text\/html/i)
  t.match(conformed, 'pass')
  t.strictSame(more, [], 'no command is left out')
})

function majorUnderTest(): string {
  const is16 = process.env['NODE_OPTIONS']?.includes('graphql-16') === true
  return join(root, 'node_modules', is16 ? 'graphql-16' : 'graphql', 'package.json')
}

async function run(cwd: string, command: string): Promise<string> {
  return (await promisify(execFile)('sh', ['-ec', command], { cwd, env })).stdout
}

/** Starts a server, and resolves when it says its URL. */
async function startServer(t: Test, cwd: string, command: string): Promise<void> {
  const child = spawn('sh', ['-ec', command], { cwd, env, detached: true })
  const { pid } = child
  t.teardown(() => void (pid !== undefined && process.kill(-pid, 'SIGKILL')))
  let output = ''
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += String(chunk)
        if (/http:\/\/localhost:\d+\/graphql/.test(output)) resolve()
      })
    }
    child.once('exit', () => reject(new Error(`${command} ended: ${output}`)))
  })
}
