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
    text(
      { x: margin, y: 50, fill: colors.faint },
      `Node ${node}, ${date}. The line across a bar goes from the least to the most of the rounds.`,
    ),
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
const labelWidth = 118
const valueWidth = 96
const colors = {
  graphwire: '#1f6feb',
  reference: '#9aa3ad',
  peer: '#d9a441',
  spread: '#22272e',
  text: '#22272e',
  faint: '#5b6570',
}

function panelHeight({ servers }) {
  return headHeight + servers.length * barStep
}

function panel({ name, title, servers }, x, y) {
  const room = panelWidth - labelWidth - valueWidth
  const most = Math.max(...servers.map(({ cpu }) => cpu?.max ?? 0))
  const scale = (figure) => (figure / most) * room
  const rows = servers.toSorted((a, b) => (a.cpu?.median ?? Infinity) - (b.cpu?.median ?? Infinity))
  return [
    `<g transform="translate(${x} ${y})">`,
    text({ y: 12, size: 13, weight: 600 }, `${name}: ${shorten(title)}`),
    ...rows.map((server, at) => bar(server, headHeight + at * barStep, scale)),
    '</g>',
  ].join('\n')
}

function bar({ name, cpu, toRaw }, y, scale) {
  const middle = y + barHeight / 2
  const label = text(
    {
      x: labelWidth - 8,
      y: middle + 4,
      anchor: 'end',
      weight: kindOf(name) === 'graphwire' ? 600 : 400,
    },
    name,
  )
  if (cpu === undefined) {
    return label + text({ x: labelWidth, y: middle + 4, fill: colors.faint }, 'failed')
  }
  const [least, value, most] = [cpu.min, cpu.median, cpu.max].map((one) => labelWidth + scale(one))
  const times = toRaw === undefined ? '' : ` (${toRaw.toFixed(1)} x raw)`
  return [
    label,
    `<rect x="${labelWidth}" y="${y}" width="${round(value - labelWidth)}" height="${barHeight}" rx="1.5" fill="${colors[kindOf(name)]}"/>`,
    `<path d="M${round(least)} ${middle}H${round(most)}" stroke="${colors.spread}" stroke-width="1"/>`,
    text(
      { x: most + 6, y: middle + 4, fill: colors.faint },
      `${cpu.median.toFixed(cpu.median < 100 ? 1 : 0)}${times}`,
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
