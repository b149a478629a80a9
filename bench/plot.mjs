/** Plainer names than those of the tables. */
const serverNames = {
  raw: 'no GraphQL, fixed text',
  'raw-json': 'no GraphQL, reads JSON',
  'minimal-16': 'by hand, no checks 16',
  'minimal-17': 'by hand, no checks 17',
  'graphwire-16': 'graphwire 16',
  'graphwire-17': 'graphwire 17',
  'compiled-16': 'graphwire compiled 16',
  'compiled-17': 'graphwire compiled 17',
  'mercurius-jit': 'mercurius with JIT',
  apollo: 'Apollo Server, Express',
  'apollo-standalone': 'Apollo Server, alone',
  'graphql-yoga': 'GraphQL Yoga',
}

/** The name of a server; that of a floor says so. */
export function nameOf(server) {
  return serverNames[server] ?? server
}

/** The CPU per request as bars, one panel for each workload. */
export function plot({ date, node, workloads }) {
  return plotPanels({
    title: 'CPU per request in microseconds; shorter is better',
    subtitle: `In brackets: times the CPU of "${nameOf('raw-json')}". Node ${node}, ${date}.`,
    panels: workloads.map(({ name, title, servers }) => ({
      title: `${name}: ${shorten(title)}`,
      bars: servers.map(({ name: server, cpu, toRaw }) => ({
        name: nameOf(server),
        figure: cpu,
        note: toRaw === undefined ? '' : ` (${toRaw.toFixed(1)} x)`,
        kind: kindOf(server),
      })),
    })),
  })
}

/** The memory that stays in use after each workload, as bars. */
export function plotMemory({ date, node, workloads }) {
  return plotPanels({
    title: 'Memory after each workload in MB; shorter is better',
    subtitle: `Resident memory after a full garbage collection. Node ${node}, ${date}.`,
    panels: workloads.map(({ name, title, servers }) => ({
      title: `${name}: ${shorten(title)}`,
      digits: 0,
      bars: servers.map(({ name: server, memory }) => ({
        name: nameOf(server),
        figure: memory?.rest,
        kind: kindOf(server),
      })),
    })),
  })
}

/** The figures of streams as bars, one panel for each. */
export function plotStreams({ date, node, subscribers, servers }) {
  const panels = [
    streamPanel('Heap of an idle subscriber, KB', servers, ({ heap }) => heap / 1024),
    streamPanel('CPU per result, us', servers, ({ cpu }) => cpu),
    streamPanel(
      `Time until ${subscribers} subscribers have an event, ms`,
      servers,
      ({ fanOut }) => fanOut,
    ),
    streamPanel(
      'Held for a subscriber that reads nothing, MB',
      servers,
      ({ idler }) => idler / 1024 ** 2,
    ),
  ]
  return plotPanels({
    title: 'What streams cost; shorter is better',
    subtitle: `Node ${node}, ${date}, ${subscribers} subscribers.`,
    panels,
  })
}

function streamPanel(title, servers, figureOf) {
  return {
    title,
    bars: servers.map((server) => ({
      name: nameOf(server.name),
      figure: Math.max(0, figureOf(server)),
      kind: kindOf(server.name),
    })),
  }
}

/** Panels of bars below each other: narrow enough to be read on a phone. */
function plotPanels({ title, subtitle, panels }) {
  const labelWidth =
    20 + 8 * Math.max(...panels.flatMap(({ bars }) => bars.map(({ name }) => name.length)))
  const top = (row) =>
    panels.slice(0, row).reduce((sum, one) => sum + panelHeight(one) + gap, titleHeight)
  const kinds = new Set(panels.flatMap(({ bars }) => bars.map(({ kind }) => kind)))
  const width = 2 * margin + panelWidth
  const description = `${subtitle} ${panels.map(describePanel).join(' ')}`
  return drawSvg({ width, height: top(panels.length), title, description }, [
    drawText({ x: margin, y: 28, size: 16, weight: 600 }, title),
    drawText({ x: margin, y: 48, size: 11.5, look: 'faint' }, subtitle),
    drawLegend(Object.entries(legend).filter(([kind]) => kinds.has(kind))),
    ...panels.map((panel, row) => drawPanel(panel, margin, top(row), labelWidth)),
  ])
}

const margin = 12
const gap = 28
const panelWidth = 520
const titleHeight = 104
const headHeight = 30
const barHeight = 16
const barStep = 23
const valueWidth = 118

/** What the colors of the bars mean. */
const legend = {
  graphwire: 'graphwire',
  peer: 'other servers',
  reference: 'floors: less than a server does',
}

function drawLegend(entries) {
  let x = margin
  return entries
    .map(([look, text]) => {
      const drawn =
        drawBox({ x, y: 62, width: 13, height: 13, look }) +
        drawText({ x: x + 19, y: 73, size: 13 }, text)
      x += 40 + 7.2 * text.length
      return drawn
    })
    .join('')
}

function panelHeight({ bars }) {
  return headHeight + bars.length * barStep
}

function describePanel({ title, bars, digits }) {
  const figures = bars.map(({ name, figure }) => `${name} ${formatFigure(figure, digits)}`)
  return `${title}: ${figures.join(', ')}.`
}

function drawPanel({ title, bars, digits }, x, y, labelWidth) {
  const room = panelWidth - labelWidth - valueWidth
  const scale = room / Math.max(...bars.map(({ figure }) => figure ?? 0), Number.MIN_VALUE)
  const rows = bars.toSorted((a, b) => (a.figure ?? Infinity) - (b.figure ?? Infinity))
  return [
    `<g transform="translate(${x} ${y})">`,
    drawText({ y: 12, size: 14.5, weight: 600 }, title),
    ...rows.map((row, at) =>
      drawBar(row, headHeight + at * barStep, { labelWidth, scale, digits }),
    ),
    '</g>',
  ].join('\n')
}

function drawBar({ name, figure, note = '', kind }, y, { labelWidth, scale, digits }) {
  const baseline = y + barHeight - 3
  const weight = kind === 'graphwire' ? 600 : 400
  const label = drawText(
    { x: labelWidth - 8, y: baseline, size: 13.5, anchor: 'end', weight, look: lookOf(kind) },
    name,
  )
  const width = (figure ?? 0) * scale
  return [
    label,
    drawBox({ x: labelWidth, y, width, height: barHeight, look: kind }),
    drawText(
      {
        x: labelWidth + width + 6,
        y: baseline,
        size: 13.5,
        weight,
        look: kind === 'graphwire' ? kind : 'faint',
      },
      `${formatFigure(figure, digits)}${note}`,
    ),
  ].join('')
}

function lookOf(kind) {
  return kind === 'graphwire' ? kind : 'text'
}

function formatFigure(figure, digits) {
  return figure === undefined ? 'failed' : figure.toFixed(digits ?? (figure < 100 ? 1 : 0))
}

/** How a server is drawn: ours, a floor to compare with, or a peer. */
function kindOf(name) {
  if (/^(?:graphwire|compiled|before)/.test(name)) return 'graphwire'
  return /^(?:raw|minimal|bare)/.test(name) ? 'reference' : 'peer'
}

function shorten(title) {
  const [short] = title.split(/[:,] /)
  return short
}

/**
 * An SVG that needs no font, no script and no other file. It has a background of its own, since pages show it as an
 * image, which does not know their colors; it follows the color scheme of the system. The description says in words
 * what the picture shows.
 */
export function drawSvg({ width, height, title, description }, parts) {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="title description" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">`,
    `<title id="title">${escape(title)}</title>`,
    `<desc id="description">${escape(description)}</desc>`,
    `<style>${rules(0)} @media (prefers-color-scheme: dark) { ${rules(1)} }</style>`,
    `<rect class="page" width="${width}" height="${height}"/>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n')
}

/** The colors of each class, on a light and on a dark background: those of the site, which a test compares. */
export const colors = {
  page: ['#ffffff', '#14181a'],
  text: ['#1c2322', '#e1e6e5'],
  faint: ['#52605d', '#9fadaa'],
  line: ['#d9dfdd', '#30383b'],
  graphwire: ['#0a6259', '#62cdbf'],
  peer: ['#93a09d', '#75837f'],
  reference: ['#d3dad8', '#414c4f'],
  pass: ['#2c8a7c', '#3f9d8f'],
  warn: ['#dcb765', '#b08a35'],
  fail: ['#bf4b37', '#c8563f'],
  warned: ['#8a5300', '#f0b429'],
  failed: ['#a6361f', '#ff9b85'],
}

function rules(scheme) {
  return Object.entries(colors)
    .map(([name, schemes]) => `.${name} { fill: ${schemes[scheme]} }`)
    .join(' ')
}

export function drawText(
  { x = 0, y, size = 12, weight = 400, look = 'text', anchor = 'start' },
  content,
) {
  return `<text class="${look}" x="${round(x)}" y="${round(y)}" font-size="${size}" font-weight="${weight}" text-anchor="${anchor}">${escape(content)}</text>`
}

export function drawBox({ x, y, width, height, look }) {
  return `<rect class="${look}" x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"/>`
}

function round(number) {
  return Math.round(number * 10) / 10
}

function escape(content) {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
