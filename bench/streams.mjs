// What streams cost, compared with other servers. `node bench/streams.mjs --help`
import { writeFile } from 'node:fs/promises'
import { cpus, loadavg, release, type } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { deferring, streamContenders } from './contenders.mjs'
import { judgeStreams } from './goals.mjs'
import { createEngineFolders, inWorkshop } from './install.mjs'
import { measureCrowds, measureFirstParts, measureIdler } from './measure-streams.mjs'
import { drawPictures } from './pictures.mjs'
import { plotStreams } from './plot.mjs'
import { formatTable } from './report.mjs'

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
if (values.help) console.log(help)
else {
  await inWorkshop(async (workshop) => publish(await measure(await createEngineFolders(workshop))))
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
  const chosen = streamContenders.filter(isWanted)
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

async function publish(measured) {
  if (values.json) console.log(JSON.stringify(measured, undefined, 2))
  else console.log(formatStreams(measured))
  if (values.plot !== undefined) await writeFile(values.plot, plotStreams(measured))
  if (!values.write) return
  await writeFile(join(reports, 'streams.md'), formatStreamsPage(measured))
  await drawPictures('streams.md')
}

/** The figures as tables of Markdown. */
function formatStreams({ servers, parts, goals }) {
  return [
    formatTable(
      ['', 'heap, KB', 'CPU, us', 'to all, ms', 'held, MB', 'returned, ms'],
      servers.map(rowOf),
      new Set([1, 2, 3, 4, 5]),
    ),
    formatTable(
      ['', 'without @defer, ms', 'first part, ms', 'ratio'],
      parts.map(({ name, plain, deferred }) => [
        name,
        plain.toFixed(2),
        deferred.toFixed(2),
        (deferred / plain).toFixed(2),
      ]),
      new Set([1, 2, 3]),
    ),
    formatTable(
      ['', 'goal', 'figure', ''],
      goals.map(({ name, text, figure, reached }) => [
        name,
        text,
        figure.toFixed(3),
        reached ? 'reached' : '**missed**',
      ]),
      new Set([2]),
    ),
  ].join('\n')
}

function rowOf({ name, heap, cpu, fanOut, idler, left }) {
  const mib = 1024 * 1024
  return [
    name,
    (heap / 1024).toFixed(1),
    cpu.toFixed(1),
    fanOut.toFixed(0),
    (idler / mib).toFixed(1),
    left.toFixed(0),
  ]
}

/** The page of the results. */
function formatStreamsPage(report) {
  const { date, node, machine, load, subscribers, events, rounds, requests } = report
  return [
    '<!-- Written by `npm run report:streams`. Do not edit. -->',
    '',
    '# Streams: results',
    '',
    'What is measured, and how: [what streams cost](../performance.md#streams).',
    '',
    `${date}, Node ${node}, ${machine}; load before the run ${load.toFixed(2)}. ${subscribers} subscribers, ${rounds} rounds of ${events} events, ${requests} requests with @defer.`,
    '',
    '![What a subscriber and a result cost on each server](streams.svg)',
    '',
    formatStreams(report),
  ].join('\n')
}
