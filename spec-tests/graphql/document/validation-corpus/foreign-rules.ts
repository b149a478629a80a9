import type { ASTVisitor, FieldNode } from 'graphql'
import type { ValidationRule } from '../../../../src/graphql/js/graphql.js'
import type { Log, TestedGraphQL } from './compare.js'

type Rule = (...args: Parameters<ValidationRule>) => unknown

/** Rules as embedders write them, and as nobody should; what they see goes into the log. */
export function foreignRules(
  { BREAK, GraphQLError, visit }: TestedGraphQL,
  log: Log,
): { readonly [title: string]: ValidationRule } {
  const note = (...what: unknown[]): undefined => void log.push(what.map(String).join(' '))
  const nameOf = (node: FieldNode) => note('Field', node.name.value)
  let calls = 0

  const rules: { readonly [title: string]: Rule } = {
    'a function of a kind': () => ({ Field: nameOf }),
    'enter and leave of a kind': () => ({ Field: { enter: nameOf, leave: nameOf } }),
    'enter alone of a kind': () => ({ Field: { enter: nameOf } }),
    'leave alone of a kind, beside null': () => ({ Field: { enter: null, leave: nameOf } }),
    'enter of every node': () => ({ enter: ({ kind }: FieldNode) => note(kind) }),
    'leave of every node': () => ({ leave: ({ kind }: FieldNode) => note(kind) }),
    'every node, but one kind has its own': () => ({
      enter: ({ kind }: FieldNode) => note('enter', kind),
      leave: ({ kind }: FieldNode) => note('leave', kind),
      Field: nameOf,
      SelectionSet: {},
    }),
    'every node, and kinds that are undefined or no function': () => ({
      enter: ({ kind }: FieldNode) => note(kind),
      Field: undefined,
      Name: 'text',
      Argument: 3,
    }),
    'all the arguments': () => ({
      enter(...args: unknown[]) {
        const [node, key, parent, path, ancestors] = args as [FieldNode, ...unknown[]]
        const kinds = (ancestors as { kind?: string }[]).map((one) => one.kind ?? 'list')
        note(args.length, node.kind, key, (parent as FieldNode | undefined)?.kind, path, kinds)
      },
    }),
    'a state that it reports in the end': (context) => {
      let fields = 0
      return {
        Field: () => void fields++,
        Document: { leave: () => context.reportError(new GraphQLError(`${fields} fields`)) },
      }
    },
    'a state that outlives the call': () => ({ Document: () => note(++calls > 0) }),
    'types of the context': (context) => ({
      enter: () => note(context.getType(), context.getParentType(), context.getInputType()),
    }),
    'subtrees skipped': () => ({
      Field: {
        enter: (node: FieldNode) => (
          nameOf(node),
          node.name.value === 'friends' ? false : undefined
        ),
        leave: nameOf,
      },
      SelectionSet: { leave: () => note('SelectionSet') },
    }),
    'the whole document skipped': () => ({ Document: () => false, Field: nameOf }),
    'a skip of every node': () => ({ enter: ({ kind }: FieldNode) => (note(kind), false) }),
    'false on leave': () => ({ leave: ({ kind }: FieldNode) => (note(kind), false) }),
    'enough on enter': () => ({ Field: (node: FieldNode) => (nameOf(node), BREAK) }),
    'enough on leave': () => ({ Field: { leave: (node: FieldNode) => (nameOf(node), BREAK) } }),
    'the BREAK of another copy': () => ({ Field: () => Object.freeze({}) }),
    'arguments removed': () => ({ Argument: () => null }),
    'fields removed on leave': () => ({ Field: { leave: () => null } }),
    'the document removed': () => ({ Document: () => null }),
    'fields renamed on enter': () => ({
      Field: (node: FieldNode) => ({ ...node, name: { kind: 'Name', value: 'other' } }),
    }),
    'fields renamed on leave': () => ({
      Field: { leave: (node: FieldNode) => ({ ...node, name: { kind: 'Name', value: 'other' } }) },
    }),
    'another kind instead': () => ({
      Field: () => ({ kind: 'FragmentSpread', name: { kind: 'Name', value: 'F' } }),
    }),
    'promises and other values': () => ({
      Argument: () => Promise.resolve(),
      Directive: () => 0,
      VariableDefinition: { leave: () => '' },
    }),
    'a visit of its own': (context) => ({
      OperationDefinition: (node: Parameters<typeof visit>[0]) =>
        void visit(node, { Name: ({ value }) => note(value, context.getType()) }),
    }),
    'too many reports': (context) => ({
      enter: (node: FieldNode) => context.reportError(new GraphQLError('no', { nodes: node })),
    }),
    'a report at once': (context) => (context.reportError(new GraphQLError('at once')), {}),
    'a throw in a visit': () => ({
      Field() {
        throw new RangeError('too deep')
      },
    }),
    'a throw at once': () => {
      throw new RangeError('never')
    },
    'an instance with methods': () => new FieldCounter(note),
    'a proxy for every kind': () =>
      new Proxy(
        {},
        { get: (_, kind) => () => (note(kind), kind === 'Argument' ? false : undefined) },
      ),
    'hidden properties': () => Object.defineProperty({}, 'Field', { value: nameOf }),
    'getters that count': () => {
      let reads = 0
      return {
        get Field() {
          return () => note('read', reads)
        },
        get Name() {
          reads++
          return { leave: () => note('read', reads) }
        },
      }
    },
    'a visitor that changes itself': () => {
      const visitor: { [kind: string]: unknown } = {
        Document: () => void (visitor['Field'] = () => note('late')),
        Field: () => note('early'),
      }
      return visitor
    },
    'an empty visitor': () => ({}),
    'what is no kind': () => ({ Fields: nameOf, Kind: nameOf, toString: nameOf }),
    'a kind that is null': () => ({ Field: null }),
    'an enter that cannot be called': () => ({ Field: { enter: 5 } }),
    'a leave that cannot be called': () => ({ leave: {}, Field: nameOf }),
    'the form of graphql 15': () => ({ enter: { Field: nameOf } }),
    'no visitor': () => undefined,
    'null for a visitor': () => null,
  }
  return rules as { readonly [title: string]: (...args: Parameters<ValidationRule>) => ASTVisitor }
}

class FieldCounter {
  readonly #note: (...what: unknown[]) => undefined
  #fields = 0

  constructor(note: (...what: unknown[]) => undefined) {
    this.#note = note
  }

  Field(node: FieldNode): void {
    this.#note(node.name.value, ++this.#fields)
  }

  leave({ kind }: FieldNode): void {
    this.#note(kind, this.#fields)
  }
}
