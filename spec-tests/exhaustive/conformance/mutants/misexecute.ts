import { GraphQLSchema, Kind, visit, type DocumentNode, type ExecutionArgs } from 'graphql'
import { BadRequest } from './parameters.js'

/** Executes a mutation as if it were a query: its fields all at once. */
export function inParallel(task: ExecutionArgs): ExecutionArgs {
  const mutation = task.schema.getMutationType()
  const isMutation = task.document.definitions.some(
    (one) => one.kind === Kind.OPERATION_DEFINITION && one.operation === 'mutation',
  )
  if (!mutation || !isMutation) return task
  return {
    ...task,
    schema: new GraphQLSchema({ query: mutation }),
    document: visit(task.document, {
      OperationDefinition: (node) => Object.assign({}, node, { operation: 'query' }),
    }),
  }
}

/** Gives every Boolean and Int variable a value that can be coerced. */
export function lenientVariables(
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const lenient = { ...variables }
  visit(document, {
    VariableDefinition: ({ variable, type }) => {
      const named = type.kind === Kind.NON_NULL_TYPE ? type.type : type
      if (named.kind !== Kind.NAMED_TYPE) return
      const name = variable.name.value
      if (named.name.value === 'Boolean') lenient[name] = Boolean(lenient[name])
      if (named.name.value === 'Int') lenient[name] = Math.trunc(Number(lenient[name]) || 0)
      if (named.name.value === 'String') lenient[name] = String(lenient[name])
    },
  })
  return lenient
}

/** Executes every field whatever @skip and @include say. */
export function withoutDirectives(document: DocumentNode): DocumentNode {
  return visit(document, { Directive: () => null })
}

/** Leaves the defaults of variables out. */
export function withoutDefaults(document: DocumentNode): DocumentNode {
  return visit(document, {
    VariableDefinition: (node) => Object.assign({}, node, { defaultValue: undefined }),
  })
}

/** Refuses a variable that the operation does not declare. */
export function refuseUndeclared(
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const declared = new Set<string>()
  visit(document, { VariableDefinition: ({ variable }) => void declared.add(variable.name.value) })
  if (Object.keys(variables).every((name) => declared.has(name))) return variables
  throw new BadRequest(422, 'A variable is not declared.')
}
