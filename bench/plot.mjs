/** The CPU per request as bars, one panel for each workload: an SVG that needs no font and no script. */
export function plot({ date, node, workloads }) {
  const panels = workloads.map((workload, at) => {
    const x = margin + (at % columns) * (panelWidth + gap)
    return { workload, x, row: Math.floor(at / columns) }
  })
  const heights = []
  for (const { workload, row } of panels) {
    heights[row] = Math.max(heights[row] ?? 0, panelHeight(workload))
  }
  const top = (row) => titleHeight + heights.slice(0, row).reduce((sum, one) => sum + one + gap, 0)
  const width = 2 * margin + columns * panelWidth + (columns - 1) * gap
  const height = top(heights.length)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    text(
      { x: margin, y: 30, size: 17, weight: 600 },
      'CPU per request in microseconds; shorter is better',
    ),
    text({ x: margin, y: 50, fill: colors.faint }, `Node ${node}, ${date}.`),
    ...panels.map(({ workload, x, row }) => panel(workload, x, top(row))),
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
const labelWidth = 126
const valueWidth = 112
const colors = {
  graphwire: '#1f6feb',
  reference: '#9aa3ad',
  peer: '#d9a441',
  text: '#22272e',
  faint: '#5b6570',
}

function panelHeight({ servers }) {
  return headHeight + servers.length * barStep
}

function panel({ name, title, servers }, x, y) {
  const room = panelWidth - labelWidth - valueWidth
  const most = Math.max(...servers.map(({ cpu }) => cpu ?? 0))
  const rows = servers.toSorted((a, b) => (a.cpu ?? Infinity) - (b.cpu ?? Infinity))
  return [
    `<g transform="translate(${x} ${y})">`,
    text({ y: 12, size: 13, weight: 600 }, `${name}: ${shorten(title)}`),
    ...rows.map((server, at) => bar(server, headHeight + at * barStep, room / most)),
    '</g>',
  ].join('\n')
}

function bar({ name, cpu, toRaw }, y, scale) {
  const baseline = y + barHeight - 2
  const weight = kindOf(name) === 'graphwire' ? 600 : 400
  const label = text({ x: labelWidth - 8, y: baseline, anchor: 'end', weight }, name)
  if (cpu === undefined) {
    return label + text({ x: labelWidth, y: baseline, fill: colors.faint }, 'failed')
  }
  const width = cpu * scale
  const times = toRaw === undefined ? '' : ` (${toRaw.toFixed(1)} x raw)`
  const figure = `${cpu.toFixed(cpu < 100 ? 1 : 0)}${times}`
  return [
    label,
    `<rect x="${labelWidth}" y="${y}" width="${round(width)}" height="${barHeight}" rx="1.5" fill="${colors[kindOf(name)]}"/>`,
    text({ x: labelWidth + width + 6, y: baseline, fill: colors.faint }, figure),
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
