import type { IncrementalFormat } from '../../src/graphql/execute/parts.js'

export interface Merged {
  readonly data: unknown
  readonly errors: readonly PartError[]
  /** Whether something was not delivered because of an error. */
  readonly isIncomplete: boolean
}

interface PartError {
  readonly message: string
  readonly path?: Path
  readonly extensions?: { readonly [name: string]: unknown }
}

type Path = readonly (string | number)[]

interface AnyPart {
  readonly data?: unknown
  readonly errors?: readonly PartError[]
  readonly pending?: readonly { readonly id: string; readonly path: Path }[]
  readonly incremental?: readonly AnyIncrement[]
  readonly completed?: readonly { readonly id: string; readonly errors?: readonly PartError[] }[]
  readonly hasNext?: boolean
}

interface AnyIncrement {
  readonly id?: string
  readonly subPath?: Path
  readonly path?: Path
  readonly data?: unknown
  readonly items?: readonly unknown[] | null
  readonly errors?: readonly PartError[]
}

/** Puts parts together, as the text of the format says. Throws if they break one of its rules, by its id. */
export function mergeParts(parts: readonly unknown[], format: IncrementalFormat): Merged {
  const [first, ...updates] = parts as readonly AnyPart[]
  if (first === undefined) throw new Error('there are no parts')
  const merge = format === 'v0.2' ? new Merge() : new OldMerge()
  merge.begin(first)
  for (const [at, update] of updates.entries()) {
    expect(!('data' in update) && !('errors' in update), 'IN-2', update)
    expect(update.hasNext === at < updates.length - 1, 'IN-2', update)
    expect(update.hasNext === false || Object.keys(update).length > 1, 'B6', update)
    merge.update(update)
  }
  return merge.end()
}

function expect(holds: boolean, rule: string, part: unknown): void {
  if (!holds) throw new Error(`${rule}: ${JSON.stringify(part)}`)
}

class Merge {
  protected data: unknown = undefined
  protected readonly errors: PartError[] = []
  protected isIncomplete = false
  readonly #open = new Map<string, Path>()
  readonly #seen = new Set<string>()

  begin(part: AnyPart): void {
    expect('data' in part && (part.pending ?? []).length > 0 && part.hasNext === true, 'IN-1', part)
    this.data = part.data
    this.errors.push(...(part.errors ?? []))
    this.update(part)
  }

  update(part: AnyPart): void {
    this.#allow(part, ['data', 'errors', 'pending', 'incremental', 'completed', 'hasNext'])
    for (const { id, path, ...others } of part.pending ?? []) {
      expect(!this.#seen.has(id) && typeof id === 'string', 'IN-3', part)
      this.#allow(others, ['label'])
      this.#seen.add(id)
      this.#open.set(id, path)
    }
    for (const increment of part.incremental ?? []) this.#add(increment)
    for (const { id, errors, ...others } of part.completed ?? []) {
      expect(this.#open.delete(id), 'IN-5', part)
      this.#allow(others, [])
      if (errors !== undefined) this.isIncomplete = true
      this.errors.push(...(errors ?? []))
    }
    if (part.hasNext === false) expect(this.#open.size === 0, 'IN-5', part)
  }

  end(): Merged {
    return { data: this.data, errors: this.errors, isIncomplete: this.isIncomplete }
  }

  #add(increment: AnyIncrement): void {
    const { id = '', subPath = [], data, items, errors = [], ...others } = increment
    this.#allow(others, [])
    const target = this.#open.get(id)
    expect(target !== undefined && 'data' in increment !== 'items' in increment, 'IN-4', increment)
    const found = valueAt(this.data, [...(target ?? []), ...subPath])
    if (items == null) assign(found, data)
    else (found as unknown[]).push(...items)
    this.errors.push(...errors)
  }

  #allow(part: object, names: readonly string[]): void {
    const others = Object.keys(part).filter((name) => !names.includes(name))
    expect(others.length === 0, 'IN-8', part)
  }
}

/** The format of 2022 names places by their paths. */
class OldMerge extends Merge {
  override begin(part: AnyPart): void {
    expect('data' in part && part.hasNext === true && !('pending' in part), 'ID-1', part)
    this.data = part.data
    this.errors.push(...(part.errors ?? []))
  }

  override update(part: AnyPart): void {
    expect(!('pending' in part) && !('completed' in part), 'ID-1', part)
    for (const increment of part.incremental ?? []) {
      const { path = [], data, items, errors = [] } = increment
      expect('path' in increment && !('id' in increment), 'ID-1', increment)
      this.errors.push(...errors)
      if (data === null || items === null) this.isIncomplete = true
      else if (items === undefined) assign(valueAt(this.data, path), data)
      else {
        const list = valueAt(this.data, path.slice(0, -1)) as unknown[]
        for (const [at, item] of items.entries()) {
          const index = Number(path.at(-1)) + at
          list[index] = index in list ? assign(list[index], item) : item
        }
      }
    }
  }
}

function valueAt(data: unknown, path: Path): unknown {
  return path.reduce((value, key) => (value as { readonly [key: string]: unknown })[key], data)
}

/** Merges fields into an object, or items into a list; returns the merged value. */
function assign(target: unknown, source: unknown): unknown {
  if (typeof target !== 'object' || target === null) return source
  // In the format of 2022, fragments that overlap are executed each for itself: a null is that of one of them.
  if (source === null) return target
  if (typeof source !== 'object') return source
  const into = target as { [key: string]: unknown }
  for (const [key, value] of Object.entries(source)) {
    into[key] = key in into ? assign(into[key], value) : value
  }
  return into
}
