import { parse, print, type DocumentNode } from 'graphql'
import type { Random } from './random.js'

type Node = { [key: string]: unknown }
type Place = { readonly owner: Node; readonly key: string }

const literals = ['1', '-2.5', '"x"', 'true', 'null', 'SIT', '[1, null]', '{ a: 1 }', '{}', '[]']

/** The source with one change to its syntax tree: it stays a document, mostly. */
export function mutateNodes(source: string, vocabulary: readonly string[], random: Random): string {
  const document = JSON.parse(JSON.stringify(parse(source, { noLocation: true }))) as Node
  const { lists, names, values } = placesOf(document)
  const filled = lists.filter(({ owner, key }) => (owner[key] as Node[]).length > 0)
  if (filled.length === 0 || names.length === 0) return source
  const { owner, key } = random.pick(filled)
  const list = owner[key] as Node[]
  const at = random.below(list.length)
  const name = random.pick(names)
  const changes: (() => unknown)[] = [
    () => list.splice(at, 1),
    () => list.splice(at, 0, structuredClone(list[at] as Node)),
    () => list.splice(random.below(list.length), 0, ...list.splice(at, 1)),
    () => move(list[at] as Node, key, lists, random),
    () => move(list[at] as Node, key, lists, random),
    () => (name['value'] = random.pick(vocabulary)),
    () => (name['value'] = random.pick(names)['value']),
    () => (name['value'] = `${String(name['value'])}s`),
    () => replaceValue(values, random),
    () => (((document['definitions'] as Node[])[0] as Node)['operation'] = random.pick(operations)),
  ]
  random.pick(changes)()
  return print(document as unknown as DocumentNode)
}

const operations = ['query', 'mutation', 'subscription']

/** Puts a node into another list of the same kind as well, such as an argument of another field. */
function move(node: Node, key: string, lists: readonly Place[], random: Random): void {
  const target = random.pick(lists.filter((place) => place.key === key))
  const list = target.owner[key] as Node[]
  // A copy, since a node may come to stand inside itself.
  list.splice(random.below(list.length + 1), 0, structuredClone(node))
}

function replaceValue(values: readonly Place[], random: Random): void {
  if (values.length === 0) return
  const { owner, key } = random.pick(values)
  const source = `{ a(a: ${random.pick(literals)}) }`
  const [definition] = parse(source, { noLocation: true }).definitions
  const [field] = (definition as unknown as { selectionSet: { selections: Node[] } }).selectionSet
    .selections
  const [argument] = (field as { arguments: Node[] }).arguments as [Node]
  owner[key] = argument['value']
}

/** Every list of nodes, every name and every value in a tree. */
function placesOf(document: Node): { lists: Place[]; names: Node[]; values: Place[] } {
  const lists: Place[] = []
  const names: Node[] = []
  const values: Place[] = []
  const open: Node[] = [document]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node['kind'] === 'Name') names.push(node)
    for (const [key, child] of Object.entries(node)) {
      if (Array.isArray(child)) {
        lists.push({ owner: node, key })
        open.push(...(child as Node[]))
      } else if (typeof child === 'object' && child !== null) {
        if (key === 'value' || key === 'defaultValue') values.push({ owner: node, key })
        open.push(child as Node)
      }
    }
  }
  return { lists, names, values }
}
