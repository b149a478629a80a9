import { readdirSync, readFileSync } from 'node:fs'

const source = new URL('../../../../src/', import.meta.url)
const folders = ['over-http', 'handler', 'rest', 'hosts', 'websocket', 'graphql', 'streams']

/** What the code of the engine and its hosts says, without comments. */
const engine = folders
  .flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, source), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(new URL(`${folder}/${name}`, source), 'utf8')),
  )
  .join('\n')
  .replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '')

/** What the first group of the pattern finds in that code, each text once. */
export function findInEngine(pattern: RegExp): string[] {
  return [...new Set([...engine.matchAll(pattern)].map(([, found = '']) => found))].toSorted()
}

/** Every code of an error that is written in that code. */
export function findCodes(): string[] {
  return findInEngine(/\b(?:code|syntax|validation|operation|variables|source): '([A-Z][A-Z_]+)'/g)
}
