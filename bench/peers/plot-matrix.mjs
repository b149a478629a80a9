import { drawBox, drawSvg, drawText } from '../plot.mjs'

/**
 * How many cases of each suite pass, warn and fail with each server, as shares of those that were run. `blocks` are
 * tables: `{ title, suites, rows: [{ name, cells }] }`, where a cell is `{ pass, fail, warn }`, or undefined.
 */
export function plotMatrix({ title, subtitle, blocks }) {
  const shown = blocks.flatMap(splitBlock)
  const tops = [headHeight]
  for (const { rows } of shown) tops.push(tops.at(-1) + blockHead + rows.length * rowHeight + gap)
  const description = `${subtitle} ${shown.map(describeBlock).join(' ')}`
  return drawSvg({ width, height: tops.at(-1), title, description }, [
    drawText({ x: margin, y: 30, size: 17, weight: 600 }, title),
    drawText({ x: margin, y: 50, look: 'faint' }, subtitle),
    ...drawLegend(),
    ...shown.map((block, at) => drawBlock(block, tops[at])),
  ])
}

/** As wide as the text of the site, so that its figures are as large as the text, too. */
const width = 720
const margin = 12
const labelWidth = 192
const maxSuites = 6
const headHeight = 86
const blockHead = 46
const rowHeight = 38
const gap = 22
const barHeight = 13

/** Blocks of a few suites each, with the servers that were tested in them. */
function splitBlock({ title, suites, rows }) {
  const count = Math.ceil(suites.length / maxSuites)
  const size = Math.ceil(suites.length / count)
  return Array.from({ length: count }, (_, at) => {
    const cut = (list) => list.slice(at * size, (at + 1) * size)
    return {
      title: at === 0 ? title : '',
      suites: cut(suites),
      rows: rows
        .map(({ name, cells }) => ({ name, cells: cut(cells) }))
        .filter(({ cells }) => cells.some((cell) => cell !== undefined)),
    }
  })
}

/** The verdicts in the order of a bar, and the marks that stand for them without color. */
const verdicts = [
  { name: 'pass', mark: '', look: 'faint' },
  { name: 'warn', mark: ' !', look: 'warned' },
  { name: 'fail', mark: ' ✕', look: 'failed' },
]

function drawLegend() {
  const words = [
    'pass',
    'warn (!): breaks a SHOULD',
    'fail (✕): breaks a MUST',
    '–: nothing to test',
  ]
  const looks = ['pass', 'warn', 'fail']
  let x = margin
  return words.map((word, at) => {
    const look = looks[at]
    const box = look === undefined ? '' : drawBox({ x, y: 62, width: 13, height: 13, look })
    const text = drawText(
      { x: x + (look === undefined ? 0 : 19), y: 73, size: 13, look: 'faint' },
      word,
    )
    x += 36 + word.length * 6.6
    return box + text
  })
}

function drawBlock({ title, suites, rows }, top) {
  const step = (width - 2 * margin - labelWidth) / suites.length
  const xOf = (at) => margin + labelWidth + at * step
  return [
    drawText({ x: margin, y: top + 32, size: 14.5, weight: 600 }, title),
    ...suites.map((suite, at) => drawHead(suite, xOf(at), top + 32, step)),
    ...rows.map((row, at) => drawRow(row, top + blockHead + at * rowHeight, xOf, step)),
  ].join('\n')
}

/** The name of a suite, in two lines if it is long. */
function drawHead(suite, x, y, step) {
  const fits = suite.length * 7 < step
  const at = suite.indexOf('-') + 1
  const lines = fits || at === 0 ? [suite] : [suite.slice(0, at), suite.slice(at)]
  return lines
    .map((line, i) =>
      drawText({ x, y: y - (lines.length - 1 - i) * 14, size: 13, look: 'faint' }, line),
    )
    .join('')
}

function drawRow({ name, cells }, y, xOf, step) {
  const own = name === 'graphwire' ? { weight: 600, look: name } : {}
  return [
    drawBox({ x: margin, y, width: width - 2 * margin, height: 1, look: 'line' }),
    drawText({ x: margin, y: y + 24, size: 13.5, ...own }, name),
    ...cells.map((cell, at) => drawCell(cell, xOf(at), y + 6, step - 10)),
  ].join('')
}

function drawCell(cell, x, y, room) {
  if (cell === undefined) return drawText({ x, y: y + 18, size: 13, look: 'faint' }, '–')
  const used = verdicts.filter(({ name }) => cell[name] > 0)
  const total = used.reduce((sum, { name }) => sum + cell[name], 0)
  // One failure among a hundred passes must be visible.
  const least = 2
  const scale = (room - used.length * least) / total
  let at = x
  const boxes = used.map(({ name }) => {
    const share = least + cell[name] * scale
    at += share
    return drawBox({ x: at - share, y, width: share, height: barHeight, look: name })
  })
  const counts = cell.warn + cell.fail === 0 ? used : used.filter(({ name }) => name !== 'pass')
  const spans = counts.map(
    ({ name, mark, look }, i) =>
      `<tspan class="${look}"${i === 0 ? '' : ' dx="6"'}>${cell[name]}${mark}</tspan>`,
  )
  return `${boxes.join('')}<text x="${round(x)}" y="${round(y + 26)}" font-size="12">${spans.join('')}</text>`
}

function describeBlock({ title, suites, rows }) {
  const totals = rows.map(({ name, cells }) => {
    const sum = (verdict) => cells.reduce((all, cell) => all + (cell?.[verdict] ?? 0), 0)
    return `${name} ${sum('pass')} pass, ${sum('warn')} warn, ${sum('fail')} fail`
  })
  return `${title || suites.join(', ')}: ${totals.join('; ')}.`
}

function round(number) {
  return Math.round(number * 10) / 10
}
