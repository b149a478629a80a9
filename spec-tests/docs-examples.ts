import { readFileSync } from 'node:fs'

const root = new URL('../../', import.meta.url)

/** The examples of a page in a language, as they stand there. Generated ones are tested where they come from. */
export function examplesOf(page: string, language: string): string[] {
  const whole = readFileSync(new URL(page, root), 'utf8')
  const text = whole.replaceAll(/<!-- generated: [^]*?<!-- end -->/g, '')
  return [...text.matchAll(/```(\w+)\n([^]*?)```/g)]
    .filter(([, found]) => found === language)
    .map(([, , code = '']) => code)
}
