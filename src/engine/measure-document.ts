import type {
  DirectiveNode,
  DocumentNode,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql'
import { fragmentsOf, type Fragments } from './fragments.js'
import type { LimitName } from './limits.js'
import { rootFields } from './root-fields.js'

/** What a document is like, by the limits that it may exceed. */
export type DocumentFigures = {
  readonly [limit in Exclude<LimitName, 'maxTokens' | 'maxCost'>]: number
}

/**
 * Counts a document in one pass: the largest figures of any operation, its fragments counted wherever
 * they are spread.
 */
export function measureDocument(document: DocumentNode, maxNesting: number): DocumentFigures {
  const fragments = fragmentsOf(document)
  const operations = document.definitions.filter(
    (node): node is OperationDefinitionNode => node.kind === 'OperationDefinition',
  )
  const measure = new SelectionMeasure(fragments, maxNesting)
  const figures = operations.map((node) => measure.ofSelections(node.selectionSet, 1))
  // Also those that no operation spreads: validation refuses them, but must bear them until then.
  for (const name of fragments.keys()) figures.push(measure.ofFragment(name, 1))
  for (const { directives, variableDefinitions = [] } of operations) {
    measure.countDirectives(directives)
    for (const variable of variableDefinitions) measure.countDirectives(variable.directives)
  }
  const nesting = largest(figures, (one) => one.nesting)
  return {
    maxDefinitions: document.definitions.length,
    maxDirectives: measure.directives,
    maxDirectivesPerPlace: measure.directivesPerPlace,
    maxVariables: largest(operations, (node) => node.variableDefinitions?.length ?? 0),
    maxNesting: nesting,
    // Of what is refused for its nesting anyway, the way down is too long to go.
    maxRootFields:
      nesting > maxNesting ? 0 : largest(operations, (node) => rootFields(node, fragments).length),
    maxDepth: largest(figures, ({ depth }) => depth),
    maxAliases: largest(figures, ({ aliases }) => aliases),
    maxSchemaFields: largest(figures, ({ schemaFields }) => schemaFields),
    maxTypeFields: largest(figures, ({ typeFields }) => typeFields),
  }
}

function largest<Item>(items: readonly Item[], figure: (item: Item) => number): number {
  return items.reduce((most, item) => Math.max(most, figure(item)), 0)
}

/** The figures of a selection set, relative to itself. */
interface SelectionFigures {
  readonly nesting: number
  readonly depth: number
  readonly aliases: number
  readonly schemaFields: number
  readonly typeFields: number
}

const nothing: SelectionFigures = {
  nesting: 0,
  depth: 0,
  aliases: 0,
  schemaFields: 0,
  typeFields: 0,
}

class SelectionMeasure {
  directives = 0
  directivesPerPlace = 0
  readonly #fragments: Fragments
  readonly #maxNesting: number
  /** Each fragment is measured once, so that spreads within spreads cost nothing. */
  readonly #known = new Map<string, SelectionFigures>()

  constructor(fragments: Fragments, maxNesting: number) {
    this.#fragments = fragments
    this.#maxNesting = maxNesting
  }

  ofFragment(name: string, level: number): SelectionFigures {
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const fragment = this.#fragments.get(name)
    if (fragment === undefined) return nothing
    // A cycle ends where it closes, and validation refuses it.
    this.#known.set(name, nothing)
    this.countDirectives(fragment.directives)
    const figures = this.ofSelections(fragment.selectionSet, level)
    this.#known.set(name, figures)
    return figures
  }

  /** `level` bounds the recursion: what is deeper than the limit is not looked at any more. */
  ofSelections({ selections }: SelectionSetNode, level: number): SelectionFigures {
    if (level > this.#maxNesting) return { ...nothing, nesting: 1 }
    let { nesting, depth, aliases, schemaFields, typeFields } = nothing
    for (const selection of selections) {
      this.countDirectives(selection.directives)
      let inner = nothing
      if (selection.kind === 'FragmentSpread') {
        inner = this.ofFragment(selection.name.value, level + 1)
      } else if (selection.selectionSet) {
        inner = this.ofSelections(selection.selectionSet, level + 1)
      }
      nesting = Math.max(nesting, inner.nesting)
      depth = Math.max(depth, inner.depth + (selection.kind === 'Field' ? 1 : 0))
      aliases += inner.aliases
      schemaFields += inner.schemaFields
      typeFields += inner.typeFields
      if (selection.kind !== 'Field') continue
      if (selection.alias) aliases++
      if (selection.name.value === '__schema') schemaFields++
      else if (selection.name.value === '__type') typeFields++
    }
    return { nesting: nesting + 1, depth, aliases, schemaFields, typeFields }
  }

  countDirectives(directives: readonly DirectiveNode[] = []): void {
    this.directives += directives.length
    this.directivesPerPlace = Math.max(this.directivesPerPlace, directives.length)
  }
}
