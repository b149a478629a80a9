import type { DescribedPlan } from './describe-plan.js'

/** Makes unique ids of operations. */
export class OperationIds {
  readonly #usedIds: Set<string>

  constructor(usedIds: Iterable<string>) {
    this.#usedIds = new Set(usedIds)
  }

  /** Joins the words in camelCase; a second operation with the same name gets `name2`. */
  take(...words: readonly string[]): string {
    const id = camelCase(words.join(' '))
    let found = id
    for (let count = 2; this.#usedIds.has(found); count += 1) found = `${id}${count}`
    this.#usedIds.add(found)
    return found
  }
}

/** The name of the operation, or else the method and path. */
export function nameOf({ definition, route }: DescribedPlan): string {
  return definition.name?.value ?? `${route.method.toLowerCase()} ${route.path}`
}

function camelCase(name: string): string {
  return name
    .split(/[^0-9A-Za-z]+/)
    .filter((word) => word !== '')
    .map((word, at) => {
      const first = word.charAt(0)
      return (at === 0 ? first.toLowerCase() : first.toUpperCase()) + word.slice(1)
    })
    .join('')
}
