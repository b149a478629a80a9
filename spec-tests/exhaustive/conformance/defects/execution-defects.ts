// oxfmt-ignore
import { execute, Kind, parse, specifiedRules, validate, visit, type ASTVisitor, type DocumentNode, type ExecutionArgs, type GraphQLSchema } from 'graphql'
// oxfmt-ignore
import { isMap, mapOf, params, refuse, reply, status, when, withParams, type Params, type When } from './around.js'
import type { DefectTable, Layers, Request } from './defect.js'

/** The document of a request, if it can be parsed. No usual case has so many tokens. */
function documentOf({ query }: Params): DocumentNode | undefined {
  try {
    return parse(String(query), { maxTokens: 2000 })
  } catch {
    return undefined
  }
}

const namesOf = (read: Params): readonly (string | undefined)[] =>
  (documentOf(read)?.definitions ?? []).flatMap((one) =>
    one.kind === Kind.OPERATION_DEFINITION ? [one.name?.value] : [],
  )

/** Whether operationName chooses no operation. */
function isUnclear(read: Params): boolean {
  const names = namesOf(read)
  const { operationName } = read
  if (typeof operationName !== 'string') return names.length > 1
  return names.length > 0 && !names.includes(operationName)
}

const naming = (read: Params): Params => ({ ...read, operationName: namesOf(read)[0] })
const withFirst = (given: Request): Request => withParams(given, naming(mapOf(given)))
const unclear: When = (given) => isUnclear(mapOf(given))
export const unparsed: When = (given) => documentOf(mapOf(given)) === undefined

/** Chooses the first operation. */
export const first = (test: (read: Params) => boolean): Layers =>
  params((read) => (test(read) ? naming(read) : read))

/** Executes a request without the handler. */
async function run(schema: GraphQLSchema, given: Request, change: Change = (args) => args) {
  const { variables, operationName, ...rest } = mapOf(given)
  const args: ExecutionArgs = { schema, document: documentOf(rest) as DocumentNode }
  if (isMap(variables)) args.variableValues = variables
  if (typeof operationName === 'string') args.operationName = operationName
  const { data, errors } = await execute(change(args))
  if (data === undefined) return reply(422, { errors })
  return reply(errors === undefined ? 200 : 294, { data, errors })
}

type Change = (args: ExecutionArgs) => ExecutionArgs

function invalid(schema: GraphQLSchema, rules = specifiedRules): When {
  return (given) => {
    const document = documentOf(mapOf(given))
    return document !== undefined && validate(schema, document, rules).length > 0
  }
}

/** Variables that cannot be coerced are the only fault left. */
function uncoerced(schema: GraphQLSchema): When {
  return (given) => !unparsed(given) && !unclear(given) && !invalid(schema)(given)
}

/** Executes valid documents in another way. */
const misexecute =
  (change: Change) =>
  (schema: GraphQLSchema): Layers => ({
    around: (given, next) => (uncoerced(schema)(given) ? run(schema, given, change) : next(given)),
  })

/** Executes what one rule refuses. */
function skip(name: string) {
  const rules = specifiedRules.filter((rule) => rule.name === name)
  const around = () => reply(200, { data: {} })
  return (schema: GraphQLSchema) => when(invalid(schema, rules), { around })
}

function changeDocument(visitor: ASTVisitor): Change {
  return (args) => ({ ...args, document: visit(args.document, visitor) })
}

/** Gives every Boolean, Int and String variable a value that can be coerced. */
const leniently: Change = ({ document, variableValues, ...args }) => {
  const lenient: Record<string, unknown> = { ...variableValues }
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
  return { ...args, document, variableValues: lenient }
}

/** What runs all at once may run in any order. */
const backwards = changeDocument({
  OperationDefinition: ({ selectionSet, ...node }) => ({
    ...node,
    selectionSet: { ...selectionSet, selections: selectionSet.selections.toReversed() },
  }),
})

const undeclared: When = (given) => {
  const { query, variables } = mapOf(given)
  const names = isMap(variables) ? Object.keys(variables) : []
  return names.some((name) => !String(query).includes(`$${name}`))
}

/** Defects in choosing, validating and executing an operation. */
// oxfmt-ignore
export const executionDefects: DefectTable = {
  'operation-name-ignored': ['The first operation runs whatever operationName says.', 'core.operation-name.selects get.operation-name', first(() => true)],
  'first-of-several-operations': ['Of several operations the first runs when none is named.', 'errors.operation.ambiguous errors.operation.stops', first(({ operationName }) => operationName === undefined)],
  'first-for-an-unknown-operation': ['The first operation runs when the named one is missing.', 'errors.operation.unknown get.operation-name.unknown', first((read) => read['operationName'] !== undefined && isUnclear(read))],
  'prototype-lookup-of-operations': ['An operation is looked up in a map that inherits from Object.prototype.', 'get.operation-name.inherited errors.operation.inherited',
    refuse(500, (given) => String(mapOf(given)['operationName']) in {})],
  'unknown-operation-400': ['An operation that cannot be determined is 400.', 'errors.operation.ambiguous errors.operation.unknown', when(unclear, status(422, 400))],
  'unknown-operation-executed': ['An operation that cannot be determined runs, and then the status is 422.', 'errors.operation.stops', when(unclear, {
    around: async (given, next) => { await next(withFirst(given)); return next(given) } })],
  'syntax-error-422': ['A document that does not parse is 422.', 'errors.syntax get.query.broken', when(unparsed, status(400, 422))],
  'validation-skipped': ['No document is validated.', 'errors.validation.unknown-field errors.validation.stops errors.validation.unused-variable',
    (schema) => when(invalid(schema), { around: (given) => run(schema, given) })],
  'validation-error-400': ['A document that is not valid is 400.', 'errors.validation.unknown-field get.query.invalid', (schema) => when(invalid(schema), status(422, 400))],
  'validation-after-execution': ['A document that is not valid runs, and then the status is 422.', 'errors.validation.stops', (schema) => when(invalid(schema), {
    around: async (given, next) => { await run(schema, given); return next(given) } })],
  'coercion-error-200': ['Variables that cannot be coerced are 200.', 'errors.variables.missing errors.variables.type', (schema) => when(uncoerced(schema), status(422, 200))],
  'coercion-error-400': ['Variables that cannot be coerced are 400.', 'errors.variables.missing errors.variables.type', (schema) => when(uncoerced(schema), status(422, 400))],
  'variables-coerced-leniently': ['A variable of the wrong type is converted.', 'errors.variables.missing errors.variables.type errors.variables.int', misexecute(leniently)],
  'variables-ignored': ['No variable arrives.', 'core.variables.arrive core.execute.variables', params((read) => ({ ...read, variables: undefined }))],
  'directives-ignored': ['@skip and @include do nothing.', 'core.execute.directives core.variables.arrive', misexecute(changeDocument({ Directive: () => null }))],
  'mutation-fields-in-parallel': ['The fields of a mutation run all at once.', 'core.execute.serial-mutations', misexecute(backwards)],
  'variable-defaults-ignored': ['The default of a variable is ignored.', 'core.variables.default',
    misexecute(changeDocument({ VariableDefinition: (node) => ({ ...node, defaultValue: undefined }) }))],
  'undeclared-variables-refused': ['A variable that the operation does not declare is refused.', 'core.variables.undeclared', refuse(422, undeclared)],
}

/** Validation rules that are left out, by their names in graphql-js. */
// oxfmt-ignore
export const ruleDefects: DefectTable = {
  'rule-skipped-ExecutableDefinitionsRule': ['A document may define types.', 'errors.validation.definition', skip('ExecutableDefinitionsRule')],
  'rule-skipped-UniqueOperationNamesRule': ['Two operations may have one name.', 'errors.validation.repeated-operation', skip('UniqueOperationNamesRule')],
  'rule-skipped-LoneAnonymousOperationRule': ['An anonymous operation may have company.', 'errors.validation.anonymous-operation', skip('LoneAnonymousOperationRule')],
  'rule-skipped-KnownTypeNamesRule': ['A type may be unknown.', 'errors.validation.unknown-type', skip('KnownTypeNamesRule')],
  'rule-skipped-FragmentsOnCompositeTypesRule': ['A fragment may be on a scalar.', 'errors.validation.fragment-on-scalar', skip('FragmentsOnCompositeTypesRule')],
  'rule-skipped-ScalarLeafsRule': ['A leaf may have a selection, and an object none.', 'errors.validation.leaf-selection errors.validation.missing-selection', skip('ScalarLeafsRule')],
  'rule-skipped-FieldsOnCorrectTypeRule': ['A field may be unknown.', 'errors.validation.unknown-field', skip('FieldsOnCorrectTypeRule')],
  'rule-skipped-UniqueFragmentNamesRule': ['Two fragments may have one name.', 'errors.validation.repeated-fragment', skip('UniqueFragmentNamesRule')],
  'rule-skipped-KnownFragmentNamesRule': ['A fragment may be unknown.', 'errors.validation.unknown-fragment', skip('KnownFragmentNamesRule')],
  'rule-skipped-NoUnusedFragmentsRule': ['A fragment may be unused.', 'errors.validation.unused-fragment', skip('NoUnusedFragmentsRule')],
  'rule-skipped-PossibleFragmentSpreadsRule': ['A fragment may be spread where it can never apply.', 'errors.validation.impossible-fragment.standard errors.validation.impossible-fragment', skip('PossibleFragmentSpreadsRule')],
  'rule-skipped-NoFragmentCyclesRule': ['Fragments may spread each other.', 'errors.validation.fragment-cycle', skip('NoFragmentCyclesRule')],
  'rule-skipped-UniqueVariableNamesRule': ['Two variables may have one name.', 'errors.validation.repeated-variable', skip('UniqueVariableNamesRule')],
  'rule-skipped-NoUndefinedVariablesRule': ['A variable may be undefined.', 'errors.validation.undeclared-variable', skip('NoUndefinedVariablesRule')],
  'rule-skipped-NoUnusedVariablesRule': ['A variable may be unused.', 'errors.validation.unused-variable', skip('NoUnusedVariablesRule')],
  'rule-skipped-KnownDirectivesRule': ['A directive may be unknown.', 'errors.validation.unknown-directive errors.validation.misplaced-directive', skip('KnownDirectivesRule')],
  'rule-skipped-UniqueDirectivesPerLocationRule': ['A directive may come twice.', 'errors.validation.repeated-directive', skip('UniqueDirectivesPerLocationRule')],
  'rule-skipped-KnownArgumentNamesRule': ['An argument may be unknown.', 'errors.validation.unknown-argument errors.validation.unknown-argument.field', skip('KnownArgumentNamesRule')],
  'rule-skipped-UniqueArgumentNamesRule': ['An argument may come twice.', 'errors.validation.repeated-argument', skip('UniqueArgumentNamesRule')],
  'rule-skipped-ValuesOfCorrectTypeRule': ['A literal may be of the wrong type.', 'errors.validation.value-type.standard errors.validation.value-type', skip('ValuesOfCorrectTypeRule')],
  'rule-skipped-ProvidedRequiredArgumentsRule': ['A required argument may be missing.', 'errors.validation.missing-argument errors.validation.missing-argument.field', skip('ProvidedRequiredArgumentsRule')],
  'rule-skipped-VariablesInAllowedPositionRule': ['A nullable variable may be used where null is not allowed.', 'errors.validation.variable-position errors.validation.variable-position.nullable', skip('VariablesInAllowedPositionRule')],
  'rule-skipped-OverlappingFieldsCanBeMergedRule': ['Two fields may have one response name.', 'errors.validation.conflict.standard errors.validation.conflict', skip('OverlappingFieldsCanBeMergedRule')],
}
