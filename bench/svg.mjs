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

/** The colors of each class, on a light and on a dark background. */
const colors = {
  page: ['#ffffff', '#15171a'],
  text: ['#22272e', '#e4e6e9'],
  faint: ['#5b6570', '#9da5af'],
  line: ['#e2e3e0', '#30343a'],
  graphwire: ['#1f6feb', '#6aa5ff'],
  reference: ['#9aa3ad', '#6b7480'],
  peer: ['#d9a441', '#c9953a'],
  pass: ['#4ba377', '#3c8f65'],
  warn: ['#e3b14a', '#d9a83f'],
  fail: ['#c8372c', '#f0766a'],
  warned: ['#7d5200', '#e7bd68'],
  failed: ['#ab2a20', '#ff9b90'],
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
