import type { DirectiveNode, DocumentNode, FieldNode, NameNode, SelectionSetNode } from 'graphql'
import { fragmentsOf, operationsIn, type Fragments } from '../js/fragments.js'
import { isActive } from './cost/active-directives.js'
import type { LimitName } from './limits.js'
import { rootFields } from './root-fields.js'

/** The figures of a document that limits apply to. */
export type DocumentFigures = {
  readonly [
    limit in Exclude<
      LimitName,
      'maxTokens' | 'maxLines' | 'maxNumberLength' | 'maxCost' | 'maxIntrospectionSize'
    >
  ]: number
}

/**
 * Measures a document in one pass: the largest figures of any operation, with fragments counted wherever
 * they are spread.
 */
export function measureDocument(document: DocumentNode, maxNesting: number): DocumentFigures {
  const fragments = fragmentsOf(document)
  const operations = operationsIn(document)
  const measure = new SelectionMeasure(fragments, maxNesting)
  const figures = operations.map((node) => measure.ofSelections(node.selectionSet, 1))
  // Fragments that no operation uses count too: validation rejects them, but has to process them first.
  for (const name of fragments.keys()) figures.push(measure.ofFragment(name, 1))
  for (const { name, directives, variableDefinitions = [] } of operations) {
    measure.countName(name)
    measure.countDirectives(directives)
    for (const { directives: own, variable } of variableDefinitions) {
      measure.countDirectives(own)
      measure.countName(variable.name)
    }
  }
  const all = figures.reduce(mergeLargest, nothing)
  return {
    ...all,
    maxDefinitions: document.definitions.length,
    maxFieldPairs: measure.fieldPairs,
    maxDirectives: measure.directives,
    maxDirectivesPerPlace: measure.directivesPerPlace,
    maxVariables: largest(operations, (node) => node.variableDefinitions?.length ?? 0),
    // Documents that exceed the nesting limit are refused anyway, and may be too deep to walk.
    maxRootFields:
      all.maxNesting > maxNesting
        ? 0
        : largest(operations, (node) => rootFields(node, fragments).length),
    maxNameLength: measure.longestName,
  }
}

function largest<Item>(items: readonly Item[], figure: (item: Item) => number): number {
  return items.reduce((most, item) => Math.max(most, figure(item)), 0)
}

/** The figures of a selection set, relative to itself: the first two are maxima, the others sums. */
const nothing = {
  maxNesting: 0,
  maxDepth: 0,
  maxAliases: 0,
  maxSchemaFields: 0,
  maxTypeFields: 0,
  maxIncremental: 0,
}

type FigureSum = typeof nothing
type SelectionFigures = Readonly<FigureSum>

const selectionNames = Object.keys(nothing) as (keyof FigureSum)[]

function mergeLargest(one: SelectionFigures, other: SelectionFigures): SelectionFigures {
  const merged = { ...one }
  for (const name of selectionNames) merged[name] = Math.max(one[name], other[name])
  return merged
}

/** The position of a selection inside a fragment on the type of introspection. */
type TypePlace = 'type' | 'wrapped type' | undefined

function placeBelow({ name }: FieldNode, place: TypePlace): TypePlace {
  return place !== undefined && name.value === 'ofType' ? 'wrapped type' : undefined
}

class SelectionMeasure {
  directives = 0
  directivesPerPlace = 0
  longestName = 0
  fieldPairs = 0
  readonly #fragments: Fragments
  readonly #maxNesting: number
  /** How many fields with selections have a response name, in all of the document: any of them might be merged. */
  readonly #sameName = new Map<string, number>()
  /** Each fragment is measured once, which keeps nested spreads cheap. */
  readonly #measured = new Map<string, SelectionFigures>()

  constructor(fragments: Fragments, maxNesting: number) {
    this.#fragments = fragments
    this.#maxNesting = maxNesting
  }

  ofFragment(name: string, level: number): SelectionFigures {
    const measured = this.#measured.get(name)
    if (measured !== undefined) return measured
    const fragment = this.#fragments.get(name)
    if (fragment === undefined) return nothing
    // A cycle ends here; validation rejects it.
    this.#measured.set(name, nothing)
    this.countDirectives(fragment.directives)
    const place = fragment.typeCondition.name.value === '__Type' ? 'type' : undefined
    const figures = this.ofSelections(fragment.selectionSet, level, place)
    this.#measured.set(name, figures)
    return figures
  }

  /** `level` bounds the recursion: levels beyond the limit are not visited. */
  ofSelections(
    { selections }: SelectionSetNode,
    level: number,
    place?: TypePlace,
  ): SelectionFigures {
    if (level > this.#maxNesting) return { ...nothing, maxNesting: 1 }
    const sum = { ...nothing }
    for (const selection of selections) {
      this.countDirectives(selection.directives)
      if (selection.kind === 'Field') this.#countField(selection)
      let inner = nothing
      if (selection.kind === 'FragmentSpread') {
        inner = this.ofFragment(selection.name.value, level + 1)
      } else if (selection.selectionSet) {
        const below = selection.kind === 'Field' ? placeBelow(selection, place) : place
        inner = this.ofSelections(selection.selectionSet, level + 1, below)
      }
      addTo(sum, selection.kind === 'Field' ? ofField(selection, inner, place) : inner)
      for (const directive of selection.directives ?? []) {
        if (isActive(directive, unknownVariable)) sum.maxIncremental += 1
      }
    }
    sum.maxNesting += 1
    return sum
  }

  #countField({ alias, name, selectionSet }: FieldNode): void {
    this.countName(alias)
    if (!selectionSet) return
    const responseName = (alias ?? name).value
    const others = this.#sameName.get(responseName) ?? 0
    this.fieldPairs += others
    this.#sameName.set(responseName, others + 1)
  }

  countName(name: NameNode | undefined): void {
    this.longestName = Math.max(this.longestName, name?.value.length ?? 0)
  }

  countDirectives(directives: readonly DirectiveNode[] = []): void {
    this.directives += directives.length
    this.directivesPerPlace = Math.max(this.directivesPerPlace, directives.length)
  }
}

/** Documents are measured once for all variables. */
function unknownVariable(): undefined {
  return undefined
}

/** Adds a field to the figures of what it selects. */
function ofField(
  { alias, name: { value: name } }: FieldNode,
  inner: SelectionFigures,
  place: TypePlace,
): SelectionFigures {
  // `ofType` unwraps lists and non-nulls. Tools ask for as many levels as any schema may have, most of
  // which do not exist.
  const isLevel = place !== 'wrapped type' || name !== 'ofType'
  return {
    ...inner,
    maxDepth: inner.maxDepth + (isLevel ? 1 : 0),
    maxAliases: inner.maxAliases + (alias ? 1 : 0),
    maxSchemaFields: inner.maxSchemaFields + (name === '__schema' ? 1 : 0),
    maxTypeFields: inner.maxTypeFields + (name === '__type' ? 1 : 0),
  }
}

function addTo(sum: FigureSum, figures: SelectionFigures): void {
  for (const name of selectionNames) {
    const isMaximum = name === 'maxNesting' || name === 'maxDepth'
    sum[name] = isMaximum ? Math.max(sum[name], figures[name]) : sum[name] + figures[name]
  }
}
