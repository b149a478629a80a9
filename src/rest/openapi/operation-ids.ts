import type { DescribedPlan } from './describe-plan.js'

/** Gives each operation an id that no other has. */
export class OperationIds {
  readonly #taken: Set<string>

  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken)
  }

  /** The words in camelCase; the second of a name is `name2`. */
  take(...words: readonly string[]): string {
    const id = camelCase(words.join(' '))
    let found = id
    for (let count = 2; this.#taken.has(found); count += 1) found = `${id}${count}`
    this.#taken.add(found)
    return found
  }
}

/** What a route is called: the name of its operation, else its method and path. */
export function nameOf({ definition, route }: DescribedPlan): string {
  return definition.name?.value ?? `${route.method.toLowerCase()} ${route.path}`
}

/** The words of a name, the first with a small letter and the others with a capital. */
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
