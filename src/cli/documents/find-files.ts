import { readdir, realpath, stat } from 'node:fs/promises'
import { describeFileError } from '../process/read-text-file.js'
import { fail } from '../process/exit.js'

/**
 * The files that the patterns match, sorted and each once: `*` and `?` within a name, `**` for any folders, and
 * `{a,b}`. Below a wildcard, names that begin with a dot and `node_modules` are left out. `fs.glob` comes with Node 22.
 */
export async function findFiles(patterns: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>()
  for (const pattern of patterns) {
    const files = (await Promise.all(expand(pattern).map(matchOne))).flat()
    if (files.length === 0) fail('configuration', `${pattern}: matches no file.`)
    for (const file of files) found.add(file)
  }
  const places = new Map<string, string>()
  for (const file of [...found].toSorted()) {
    const place = await realpath(file).catch(() => file)
    if (!places.has(place)) places.set(place, file)
  }
  return [...places.values()]
}

/** `{a,b}` as several patterns. */
function expand(pattern: string): readonly string[] {
  const braces = /\{([^{}]*)\}/.exec(pattern)
  if (braces === null) return [pattern]
  const [all, words = ''] = braces
  const rest = pattern.slice(braces.index + all.length)
  return words.split(',').flatMap((word) => expand(pattern.slice(0, braces.index) + word + rest))
}

async function matchOne(pattern: string): Promise<readonly string[]> {
  const wildcard = pattern.search(/[*?]/)
  if (wildcard < 0) return [pattern]
  const folder = pattern.slice(0, pattern.lastIndexOf('/', wildcard) + 1)
  const files: string[] = []
  try {
    await walk(folder, toExpression(pattern), files)
    return files
  } catch (error) {
    return fail('configuration', describeFileError(folder, error))
  }
}

async function walk(folder: string, expression: RegExp, files: string[]): Promise<void> {
  const entries = await readdir(folder === '' ? '.' : folder, { withFileTypes: true })
  for (const entry of entries) {
    const path = folder + entry.name
    // Such as the locks of editors, which are links to nowhere.
    if (entry.name.startsWith('.')) continue
    if (!entry.isDirectory()) {
      if (!expression.test(path)) continue
      // A folder could contain itself by a link.
      const found = entry.isSymbolicLink() ? await stat(path).catch(() => undefined) : undefined
      if (!found?.isDirectory()) files.push(path)
    } else if (entry.name !== 'node_modules') {
      await walk(`${path}/`, expression, files)
    }
  }
}

function toExpression(pattern: string): RegExp {
  const source = pattern.replaceAll(/\*\*\/|\*\*$|\*+|[^*]/g, (token) => {
    if (token === '**/') return '(?:[^/]+/)*'
    if (token === '**') return '.*'
    if (token.startsWith('*')) return '[^/]*'
    return token === '?' ? '[^/]' : token.replace(/[\\^$.|+()[\]{}]/, '\\$&')
  })
  return new RegExp(`^${source}$`)
}
