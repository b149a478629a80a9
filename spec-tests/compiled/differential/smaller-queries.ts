import { parse, print, type ASTNode } from 'graphql'

type Tree = { [member: string]: Tree | Tree[] }

const lists = new Set([
  'definitions',
  'selections',
  'directives',
  'arguments',
  'variableDefinitions',
  'fields',
  'values',
])

/** The same document with one part less, the largest parts first. */
export function* smallerQueries(query: string): Generator<string> {
  let count = 0
  for (;;) {
    const document = JSON.parse(JSON.stringify(parse(query, { noLocation: true }))) as Tree
    if (!simplify(document, { left: count++ })) return
    const text = printSafely(document)
    if (text !== undefined && text !== query) yield text
  }
}

/** Makes the change whose number is left over; false where there are not so many. */
function simplify(tree: Tree, counter: { left: number }): boolean {
  for (const [name, member] of Object.entries(tree)) {
    if (!Array.isArray(member) || !lists.has(name)) continue
    for (const [at, item] of member.entries()) {
      const needsOne = name === 'selections' || name === 'definitions'
      if ((!needsOne || member.length > 1) && counter.left-- === 0) {
        member.splice(at, 1)
        return true
      }
      const within =
        (item['kind'] as unknown) === 'InlineFragment' ? item['selectionSet'] : undefined
      if (within !== undefined && counter.left-- === 0) {
        member.splice(at, 1, ...((within as Tree)['selections'] as Tree[]))
        return true
      }
    }
  }
  for (const member of Object.values(tree)) {
    const inner = Array.isArray(member) ? member : [member]
    for (const one of inner) {
      if (typeof one === 'object' && one !== null && simplify(one, counter)) return true
    }
  }
  return false
}

function printSafely(document: Tree): string | undefined {
  try {
    const text = print(document as unknown as ASTNode)
    parse(text)
    return text
  } catch {
    return undefined
  }
}
