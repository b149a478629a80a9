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

export function underTitle(screen: Screen, title: string, lines: Lines): Lines {
  return lines.length === 0 ? [] : [paint(screen, 'bold', title), ...lines]
}

/** Sections with an empty line between them; those without lines are left out. */
export function joinSections(sections: readonly Lines[]): string {
  const filled = sections.filter((lines) => lines.length > 0)
  return `${filled.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

export function toJson(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}
