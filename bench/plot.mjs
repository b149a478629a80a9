/** The CPU per request as bars, one panel for each workload. */
export function plot({ date, node, workloads }) {
  return plotPanels({
    title: 'CPU per request in microseconds; shorter is better',
    subtitle: `Node ${node}, ${date}.`,
    panels: workloads.map(({ name, title, servers }) => ({
      title: `${name}: ${shorten(title)}`,
      bars: servers.map(({ name: server, cpu, toRaw }) => ({
        name: server,
        figure: cpu,
        note: toRaw === undefined ? '' : ` (${toRaw.toFixed(1)} x raw)`,
        kind: kindOf(server),
      })),
    })),
  })
}

/** Panels of bars, two in a row: an SVG that needs no font and no script. */
export function plotPanels({ title, subtitle, panels }) {
  const placed = panels.map((panel, at) => ({
    panel,
    x: margin + (at % columns) * (panelWidth + gap),
    row: Math.floor(at / columns),
  }))
  const labelWidth =
    26 + 6.2 * Math.max(...panels.flatMap(({ bars }) => bars.map(({ name }) => name.length)))
  const heights = []
  for (const { panel, row } of placed) {
    heights[row] = Math.max(heights[row] ?? 0, panelHeight(panel))
  }
  const top = (row) => titleHeight + heights.slice(0, row).reduce((sum, one) => sum + one + gap, 0)
  const width = 2 * margin + columns * panelWidth + (columns - 1) * gap
  const height = top(heights.length)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    text({ x: margin, y: 30, size: 17, weight: 600 }, title),
    text({ x: margin, y: 50, fill: colors.faint }, subtitle),
    ...placed.map(({ panel, x, row }) => drawPanel(panel, x, top(row), labelWidth)),
    '</svg>',
    '',
  ].join('\n')
}

const columns = 2
const margin = 24
const gap = 28
const panelWidth = 460
const titleHeight = 72
const headHeight = 30
const barHeight = 13
const barStep = 19
const valueWidth = 112
const colors = {
  graphwire: '#1f6feb',
  reference: '#9aa3ad',
  peer: '#d9a441',
  text: '#22272e',
  faint: '#5b6570',
}

function panelHeight({ bars }) {
  return headHeight + bars.length * barStep
}

function drawPanel({ title, bars }, x, y, labelWidth) {
  const room = panelWidth - labelWidth - valueWidth
  const most = Math.max(...bars.map(({ figure }) => figure ?? 0))
  const rows = bars.toSorted((a, b) => (a.figure ?? Infinity) - (b.figure ?? Infinity))
  return [
    `<g transform="translate(${x} ${y})">`,
    text({ y: 12, size: 13, weight: 600 }, title),
    ...rows.map((row, at) => drawBar(row, headHeight + at * barStep, labelWidth, room / most)),
    '</g>',
  ].join('\n')
}

function drawBar({ name, figure, note = '', kind }, y, labelWidth, scale) {
  const baseline = y + barHeight - 2
  const weight = kind === 'graphwire' ? 600 : 400
  const label = text({ x: labelWidth - 8, y: baseline, anchor: 'end', weight }, name)
  if (figure === undefined) {
    return label + text({ x: labelWidth, y: baseline, fill: colors.faint }, 'failed')
  }
  const width = figure * scale
  return [
    label,
    `<rect x="${round(labelWidth)}" y="${y}" width="${round(width)}" height="${barHeight}" rx="1.5" fill="${colors[kind]}"/>`,
    text(
      { x: labelWidth + width + 6, y: baseline, fill: colors.faint },
      `${figure.toFixed(figure < 100 ? 1 : 0)}${note}`,
    ),
  ].join('')
}

function kindOf(name) {
  if (name.startsWith('graphwire')) return 'graphwire'
  return /^(?:raw|minimal)/.test(name) ? 'reference' : 'peer'
}

function text(
  { x = 0, y, size = 12, weight = 400, fill = colors.text, anchor = 'start' },
  content,
) {
  return `<text x="${round(x)}" y="${round(y)}" font-size="${size}" font-weight="${weight}" fill="${fill}" text-anchor="${anchor}">${escape(content)}</text>`
}

function shorten(title) {
  const [short] = title.split(/[:,] /)
  return short
}

function round(number) {
  return Math.round(number * 10) / 10
}

function escape(content) {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
