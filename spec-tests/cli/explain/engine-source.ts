import { readSources } from '../../sources.js'

const folders =
  /^(?:src\/(?:over-http|handler|hosts|websocket|graphql|streams)|packages\/(?:rest|uploads))\//

/** What the code of the engine and its hosts says, without comments. */
const engine = readSources()
  .filter(({ name }) => folders.test(name))
  .map(({ text }) => text)
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
