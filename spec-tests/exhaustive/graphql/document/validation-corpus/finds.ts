import type { ValidationRule } from '../../../../../src/graphql/js/graphql.js'
import type { TestedGraphQL } from '../../../../graphql/document/validation-corpus/compare.js'

/** Counts what each of the specified rules reports. */
export class Finds {
  readonly #module: TestedGraphQL
  readonly #rules: readonly ValidationRule[]
  readonly #counts = new Map<string, number>()
  #total = 0

  constructor(module: TestedGraphQL) {
    this.#module = module
    this.#rules = module.specifiedRules.map((rule) => (context) => {
      const reportError = (): void => {
        this.#counts.set(rule.name, this.of(rule.name) + 1)
        this.#total++
      }
      return rule(Object.create(context, { reportError: { value: reportError } }))
    })
  }

  /** Whether any rule reports anything, all limits apart. */
  count(...[schema, document]: Parameters<TestedGraphQL['validate']>): boolean {
    const before = this.#total
    try {
      this.#module.validate(schema, document, this.#rules)
    } catch {
      // graphql 16 throws on some subscriptions, which are not valid either.
      return true
    }
    return this.#total > before
  }

  /** How many errors the rule has reported so far. */
  of(rule: string): number {
    return this.#counts.get(rule) ?? 0
  }

  toString(): string {
    return [...this.#counts].map(([rule, count]) => `${rule} ${count}`).join(', ')
  }
}
