import { readFileSync } from 'node:fs'

const root = new URL('../../', import.meta.url)

/** The examples of a page in a language, as they stand there. */
export function examplesOf(page: string, language: string): string[] {
  const text = readFileSync(new URL(page, root), 'utf8')
  return [...text.matchAll(/```(\w+)\n([^]*?)```/g)]
    .filter(([, found]) => found === language)
    .map(([, , code = '']) => code)
}
