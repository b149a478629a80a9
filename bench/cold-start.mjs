// How long from the start of `node` to the first response? See README.md.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir, type } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { contendersOf } from './cold-start/contenders.mjs'
import { firstAnswer } from './cold-start/first-answer.mjs'
import { formatPage, formatTable } from './cold-start/format-table.mjs'
import { graphqlVersions, installGraphwire, installPeers, versionOf } from './install.mjs'
import { installed } from './installed.mjs'
import { median } from './median.mjs'

const page = new URL('../docs/reports/cold-start.md', import.meta.url)

const scripts = new URL('cold-start/', import.meta.url)

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})
const rounds = Number(values.rounds)
if (!Number.isInteger(rounds) || rounds < 1)
  throw new TypeError('--rounds: expected a whole number')

const stopped = new AbortController()
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stopped.abort())

const workshop = await mkdtemp(join(tmpdir(), 'graphwire-bench-'))
try {
  tell('installing')
  await installPeers()
  const folders = await installGraphwire(workshop, await graphqlVersions())
  for (const folder of folders) await cp(scripts, join(folder, 'cold-start'), { recursive: true })
  const contenders = contendersOf(folders)
  const runs = await measure(contenders)
  const referenceOf = ({ reference }) => runs[contenders.findIndex(({ id }) => id === reference)]
  const report = {
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    machine: `${type()}, ${availableParallelism()} cores`,
    rounds,
    contenders: await Promise.all(
      contenders.map((one, at) => summarize(one, runs[at], referenceOf(one))),
    ),
  }
  if (values.write) await writeFile(page, formatPage(report, await readFile(page, 'utf8')))
  console.log(values.json ? JSON.stringify(report, undefined, 2) : formatTable(report))
} finally {
  await rm(workshop, { recursive: true, force: true })
}

/** Every contender once per round, each round beginning with another one; the first round is not counted. */
async function measure(contenders) {
  const runs = contenders.map(() => [])
  for (let round = 0; round <= rounds; round++) {
    tell(round === 0 ? 'warming up' : `round ${round} of ${rounds}`)
    for (let step = 0; step < contenders.length; step++) {
      const at = (round + step) % contenders.length
      const { name, start, env = {} } = contenders[at]
      const run = await firstAnswer(start, { TMPDIR: workshop, ...env }, stopped.signal).catch(
        (cause) => {
          throw new Error(`${name}: ${cause.message}`, { cause })
        },
      )
      if (round > 0) runs[at].push(run)
    }
  }
  return runs
}

async function summarize({ name, folder, roots }, runs, reference) {
  const times = runs.map(({ milliseconds }) => milliseconds)
  const versions = await Promise.all(
    roots.map(async (root) => `${root} ${await versionOf(folder, root)}`),
  )
  return {
    name,
    versions,
    milliseconds: { median: median(times), min: Math.min(...times), max: Math.max(...times) },
    // By round, so that other work on the machine affects both.
    ratio: median(times.map((time, round) => time / reference[round].milliseconds)),
    cpuRatio: median(runs.map(({ cpu }, round) => cpu / reference[round].cpu)),
    kilobytes: median(runs.map(({ kilobytes }) => kilobytes ?? Number.NaN)),
    installed: await installed(folder, roots),
  }
}

function tell(text) {
  process.stderr.write(`${text}\n`)
}
