// Draws the pictures of docs/reports again, each from the figures on its page: `npm run report:pictures`.
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { plotMatrix } from './peers/plot-matrix.mjs'
import { plot, plotMemory, plotStreams } from './plot.mjs'

const reports = new URL('../docs/reports/', import.meta.url)

/** Each picture with its page, whose tables are all that it is drawn from. */
export const pictures = [
  { file: 'performance.svg', page: 'performance.md', draw: (text) => plot(readFigures(text)) },
  {
    file: 'performance-memory.svg',
    page: 'performance.md',
    draw: (text) => plotMemory(readFigures(text)),
  },
  { file: 'streams.svg', page: 'streams.md', draw: (text) => plotStreams(readStreams(text)) },
  { file: 'conformance.svg', page: 'conformance.md', draw: (text) => plotMatrix(readMatrix(text)) },
]

/** Writes the pictures of a page, or of all pages. */
export async function drawPictures(onlyPage) {
  for (const { file, page, draw } of pictures) {
    if (onlyPage !== undefined && page !== onlyPage) continue
    await writeFile(new URL(file, reports), draw(await readFile(new URL(page, reports), 'utf8')))
  }
}

/** The tables of a page of Markdown: the heading above each, and its rows by the names of the columns. */
function readTables(markdown) {
  const tables = []
  let heading = ''
  let table
  for (const line of markdown.split('\n')) {
    if (line.startsWith('#')) heading = line.replace(/^#+ /, '')
    if (!line.startsWith('|')) {
      table = undefined
      continue
    }
    const cells = line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim())
    if (table === undefined) tables.push((table = { heading, head: cells, rows: [] }))
    else if (!/^[|: -]+$/.test(line)) {
      table.rows.push(Object.fromEntries(cells.map((cell, at) => [table.head[at], cell])))
    }
  }
  return tables
}

function readFigures(text) {
  const workloads = readTables(text).flatMap(({ heading, rows }) => {
    const [, name, title] = /^(W[\w-]*): (.*)$/.exec(heading) ?? []
    if (name === undefined) return []
    const servers = rows.map((row) => ({
      name: row[''],
      cpu: toNumber(row['CPU, us']),
      toRaw: toNumber(row['to raw-json']),
      memory: { rest: toNumber(row['memory, MB']) },
    }))
    return [{ name, title, servers }]
  })
  return { ...readRun(text), workloads }
}

function readStreams(text) {
  const table = readTables(text).find(({ rows }) => rows[0]?.['heap, KB'] !== undefined)
  const servers = table.rows.map((row) => ({
    name: row[''],
    heap: toNumber(row['heap, KB']) * 1024,
    cpu: toNumber(row['CPU, us']),
    fanOut: toNumber(row['to all, ms']),
    idler: toNumber(row['held, MB']) * 1024 ** 2,
  }))
  return { ...readRun(text), subscribers: /(\d+) subscribers/.exec(text)?.[1], servers }
}

function readRun(text) {
  const [, date, node] = /^(\d{4}-\d\d-\d\d), Node ([\d.]+)/m.exec(text) ?? []
  return { date, node }
}

/** The newest edition, which is the first, and the streaming protocols. */
function readMatrix(text) {
  const tables = readTables(text)
  const requests = tables.find(({ heading }) => heading.startsWith('By suite, '))
  const streams = tables.find(({ heading }) => heading.startsWith('Streams and sockets'))
  const [, edition] = /^By suite, (.*): pass \/ fail \/ warn$/.exec(requests.heading)
  const [, date] = /^## Results of (.*)$/m.exec(text)
  return {
    title: `Servers in the conformance suite, ${edition}`,
    subtitle: `${date}. The shares of the cases of each suite that a server was tested with.`,
    blocks: [toBlock('Requests', requests), toBlock('Streams and sockets', streams)],
  }
}

function toBlock(title, { rows }) {
  const suites = Object.keys(rows[0]).filter((name) => name !== 'server')
  const toRow = (row) => ({ name: row.server, cells: suites.map((suite) => toCell(row[suite])) })
  return { title, suites, rows: rows.map(toRow) }
}

function toCell(text) {
  if (text === '-') return undefined
  const [pass, fail, warn] = text.split(' / ').map(Number)
  return { pass, fail, warn }
}

/** A figure that is missing is a word or a dash. */
function toNumber(text) {
  const number = Number(text)
  return Number.isNaN(number) ? undefined : number
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await drawPictures()
