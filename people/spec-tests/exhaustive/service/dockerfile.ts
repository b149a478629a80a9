/** One line of a Dockerfile: its word, its flags such as --from, and what follows. */
export interface Instruction {
  readonly word: string
  readonly flags: { readonly [name: string]: string }
  readonly rest: string
}

/** A stage of a build, from its FROM on. */
export interface Stage {
  readonly name: string
  readonly instructions: readonly Instruction[]
}

/** Reads what our Dockerfile uses of the language: comments, stages, and one instruction a line. */
export function readDockerfile(text: string): readonly Stage[] {
  const stages: { name: string; instructions: Instruction[] }[] = []
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue
    const [, word = '', flags = '', rest = ''] =
      /^([A-Z]+)((?: --\w+=\S+)*) (.*[^\\])$/.exec(line) ?? []
    if (word === '') throw new Error(`This line is not understood: ${line}`)
    if (word === 'FROM') {
      const [, name = String(stages.length)] = / AS (\w+)$/.exec(rest) ?? []
      stages.push({ name, instructions: [] })
    }
    stages.at(-1)?.instructions.push({
      word,
      flags: Object.fromEntries(
        [...flags.matchAll(/--(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
      ),
      rest,
    })
  }
  return stages
}
