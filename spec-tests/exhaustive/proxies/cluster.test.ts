import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findProgram } from '../clients/find-program.js'
import { root } from '../runtimes/runtime.js'
import { testWith } from './proxy.js'

const execute = promisify(execFile)

testWith('haproxy', 'examples/cluster loses nothing in a storm', async (t) => {
  t.ok(findProgram('redis-server'), 'redis-server is installed')
  const { NODE_OPTIONS: _, GRAPHWIRE_POSTGRES_URL, ...inherited } = process.env
  const database =
    GRAPHWIRE_POSTGRES_URL === undefined ? {} : { DATABASE_URL: GRAPHWIRE_POSTGRES_URL }
  const env = { ...inherited, ...database, NO_COLOR: '1' }
  const options = { cwd: root, env, timeout: 290_000 }
  const storm = execute(process.execPath, ['examples/cluster/storm.mjs', '1'], options)
  const { stdout } = await storm.catch((failure: { stdout: string; stderr: string }) => failure)
  t.match(stdout, /\nNothing was lost\.\n$/)
  for (const phase of ['replace', 'kill each', 'cut', 'kill Redis']) t.match(stdout, phase)
})
