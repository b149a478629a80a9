export type Lines = readonly string[]

export interface Environment {
  readonly [name: string]: string | undefined
}

export interface Screen {
  /** Whether a line can be written again. */
  readonly isTerminal: boolean
  /** Infinity in a pipe or a file, where lines are left whole. */
  readonly columns: number
  readonly colour: boolean
}

export interface Terminal {
  readonly env: Environment
  readonly stdout: Screen
  readonly stderr: Screen
  out(text: string): void
  err(text: string): void
}

/** https://no-color.org, and the variable with which CI systems request colour without a terminal. */
export function screenOf(
  { isTTY, columns }: { readonly isTTY?: boolean; readonly columns?: number },
  env: Environment,
): Screen {
  const isTerminal = isTTY === true && env['TERM'] !== 'dumb'
  const forced = env['FORCE_COLOR'] ?? ''
  const wanted = forced === '' ? isTerminal : forced !== '0'
  return {
    isTerminal,
    columns: isTTY ? columns || 80 : Infinity,
    colour: wanted && (env['NO_COLOR'] ?? '') === '',
  }
}

const styles = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const

export type TextStyle = keyof typeof styles

/** Text in a style, where there are colours. */
export function paint({ colour }: Screen, style: TextStyle | undefined, text: string): string {
  return colour && style && text !== '' ? `\u001b[${styles[style]}m${text}\u001b[0m` : text
}

/** Wider text is hard to read. */
export const readableColumns = 80

/** The minimum width of text, however narrow the terminal is. */
const leastText = 20

/** The words of a text in lines; a word that is too long for one stays whole. The margin is that of all lines but the first. */
export function wrapText(
  text: string,
  columns: number,
  first: string,
  margin: string = first,
): Lines {
  const room = Math.max(columns, margin.length + leastText)
  const lines: string[] = []
  const [start = '', ...words] = text.split(' ')
  let line = first + start
  for (const word of words) {
    if (line.length + 1 + word.length > room) {
      lines.push(line)
      line = margin + word
    } else line += ` ${word}`
  }
  return [...lines, line]
}

/** A term with its text beside it, or below it if there is little room. */
export function describeTerm(term: string, text: string, width: number, columns: number): Lines {
  const margin = ' '.repeat(width + 3)
  if (columns >= margin.length + 2 * leastText) {
    return wrapText(text, columns, `  ${term.padEnd(width)} `, margin)
  }
  return [`  ${term}`, ...wrapText(text, columns, '      ')]
}

/** What something means, and what to do about it, as far as that is known. */
export function formatAdvice(
  meaning: string | undefined,
  advice: string | undefined,
  columns: number,
  margin: string,
): Lines {
  return [
    ...(meaning === undefined ? [] : wrapText(meaning, columns, margin)),
    ...(advice === undefined ? [] : wrapText(advice, columns, `${margin}-> `, `${margin}   `)),
  ]
}

export function underTitle(screen: Screen, title: string, lines: Lines): Lines {
  return lines.length === 0 ? [] : [paint(screen, 'bold', title), ...lines]
}

/** Sections with an empty line between them; those without lines are left out. */
export function joinSections(sections: readonly Lines[]): string {
  const filled = sections.filter((lines) => lines.length > 0)
  return `${filled.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

export function toJson(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}
