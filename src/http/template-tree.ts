import { failure, success, type Outcome } from '../base/outcome.js'
import { decodeSegment, type Template } from './template.js'

/** The value of the matching template, and the texts for its variables, in order. */
export interface TemplateMatch<Value> {
  readonly value: Value
  readonly texts: readonly string[]
}

/** Finds the template that matches a path; if several do, literal text takes precedence over variables. */
export interface TemplateTree<Value> {
  /** Undefined if no template matches, 'broken-path' if a percent-escape of the path is invalid. */
  find(path: string): Outcome<TemplateMatch<Value> | undefined, 'broken-path'>
}

interface Node<Value> {
  readonly literals: Map<string, Node<Value>>
  name: Node<Value> | undefined
  leaf: { readonly value: Value } | undefined
}

/** Of templates that differ only in the names within, the last one counts. */
export function createTemplateTree<Value>(
  rows: Iterable<readonly [template: Template, value: Value]>,
): TemplateTree<Value> {
  const root = createNode<Value>()
  for (const [{ segments }, value] of rows) {
    let node = root
    for (const segment of segments) {
      node = 'name' in segment ? (node.name ??= createNode()) : literalOf(node, segment.literal)
    }
    node.leaf = { value }
  }
  return { find: (path) => findPath(root, path) }
}

function createNode<Value>(): Node<Value> {
  return { literals: new Map(), name: undefined, leaf: undefined }
}

function literalOf<Value>({ literals }: Node<Value>, literal: string): Node<Value> {
  const node = literals.get(literal) ?? createNode<Value>()
  literals.set(literal, node)
  return node
}

function findPath<Value>(
  root: Node<Value>,
  path: string,
): Outcome<TemplateMatch<Value> | undefined, 'broken-path'> {
  if (!path.startsWith('/')) return success(undefined)
  const segments: string[] = []
  for (const text of path === '/' ? [] : path.slice(1).split('/')) {
    const segment = decodeSegment(text)
    if (segment === undefined) return failure('broken-path')
    segments.push(segment)
  }
  return success(find(root, segments, 0, []))
}

/** Goes no deeper than the templates do. */
function find<Value>(
  node: Node<Value>,
  segments: readonly string[],
  at: number,
  texts: readonly string[],
): TemplateMatch<Value> | undefined {
  const segment = segments[at]
  if (segment === undefined) return node.leaf && { value: node.leaf.value, texts }
  const literal = node.literals.get(segment)
  const found = literal && find(literal, segments, at + 1, texts)
  if (found !== undefined || node.name === undefined || segment === '') return found
  return find(node.name, segments, at + 1, [...texts, segment])
}
