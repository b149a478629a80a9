// What streams cost, compared with other servers. `node bench/streams.mjs --help`
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, loadavg, tmpdir, type, release } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { createEngineFolders } from './engine-folders.mjs'
import { drawPictures } from './pictures.mjs'
import { contenders, deferring } from './streams/contenders.mjs'
import { formatStreams, formatStreamsPage } from './streams/format-page.mjs'
import { judgeStreams } from './streams/goals.mjs'
import { measureCrowds } from './streams/measure-crowds.mjs'
import { measureFirstParts } from './streams/measure-first-parts.mjs'
import { measureIdler } from './streams/measure-idler.mjs'
import { plotStreams } from './streams/plot-streams.mjs'

const reports = fileURLToPath(new URL('../docs/reports/', import.meta.url))

const help = `node bench/streams.mjs [--subscribers 1000] [--events 20] [--rounds 10] [--requests 2000] [--only 'a;b'] [--json] [--plot FILE] [--write]

Compares servers as subscribers are idle, as all of them get events, as one of them reads nothing, as all of them leave, and
as a query has @defer. Each round measures every server once, beginning with another one; figures are medians.
  --plot   writes a picture (SVG)
  --write  writes docs/reports/streams.md and its picture`

const { values } = parseArgs({
  options: {
    subscribers: { type: 'string', default: '1000' },
    events: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '10' },
    requests: { type: 'string', default: '2000' },
    only: { type: 'string' },
    json: { type: 'boolean' },
    plot: { type: 'string' },
    write: { type: 'boolean' },
    help: { type: 'boolean' },
  },
})
if (values.help) {
  console.log(help)
} else {
  const workshop = await mkdtemp(join(tmpdir(), 'graphwire-streams-'))
  try {
    await report(await measure(await createEngineFolders(workshop)))
  } finally {
    await rm(workshop, { recursive: true, force: true })
  }
}

async function measure(folders) {
  const [subscribers, events, rounds, requests] = [
    'subscribers',
    'events',
    'rounds',
    'requests',
  ].map((name) => Number(values[name]))
  const wanted = values.only?.split(';')
  const isWanted = ({ name }) => wanted === undefined || wanted.includes(name)
  const chosen = contenders.filter(isWanted)
  const load = loadavg()[0]
  const crowds = await measureCrowds(chosen, folders, { subscribers, events, rounds })
  const idlers = []
  for (const contender of chosen) idlers.push(await measureIdler(contender, folders))
  const parts = await measureFirstParts(deferring.filter(isWanted), folders, requests)
  const servers = crowds.map((crowd, at) => ({ ...crowd, idler: idlers[at] }))
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.version.slice(1),
    machine: `${type()} ${release()}, ${cpus().length} cores (${cpus()[0].model})`,
    load,
    subscribers,
    events,
    rounds,
    requests,
    servers,
    parts,
    goals: judgeStreams(servers, parts),
  }
}

async function report(measured) {
  if (values.json) console.log(JSON.stringify(measured, undefined, 2))
  else console.log(formatStreams(measured))
  if (values.plot !== undefined) await writeFile(values.plot, plotStreams(measured))
  if (!values.write) return
  await writeFile(join(reports, 'streams.md'), formatStreamsPage(measured))
  await drawPictures('streams.md')
}
