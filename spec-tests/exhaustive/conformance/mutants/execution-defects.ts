import type { DefectTable } from './defects.js'

/** Defects in choosing, validating and executing an operation. */
export const executionDefects = {
  'operation-name-ignored': [
    'The first operation runs whatever operationName says.',
    'core.operation-name.selects',
    'get.operation-name',
  ],
  'first-of-several-operations': [
    'Of several operations the first runs when none is named.',
    'errors.operation.ambiguous',
    'errors.operation.stops',
  ],
  'first-for-an-unknown-operation': [
    'The first operation runs when the named one is missing.',
    'errors.operation.unknown',
    'get.operation-name.unknown',
  ],
  'prototype-lookup-of-operations': [
    'An operation is looked up in a map that inherits from Object.prototype.',
    'get.operation-name.inherited',
    'errors.operation.inherited',
  ],
  'unknown-operation-400': [
    'An operation that cannot be determined is 400.',
    'errors.operation.ambiguous',
    'errors.operation.unknown',
  ],
  'unknown-operation-executed': [
    'An operation that cannot be determined runs, and then the status is 422.',
    'errors.operation.stops',
  ],
  'syntax-error-422': [
    'A document that does not parse is 422.',
    'errors.syntax',
    'get.query.broken',
  ],
  'validation-skipped': [
    'No document is validated.',
    'errors.validation.unknown-field',
    'errors.validation.stops',
    'errors.validation.unused-variable',
  ],
  'validation-error-400': [
    'A document that is not valid is 400.',
    'errors.validation.unknown-field',
    'get.query.invalid',
  ],
  'validation-after-execution': [
    'A document that is not valid runs, and then the status is 422.',
    'errors.validation.stops',
  ],
  'coercion-error-200': [
    'Variables that cannot be coerced are 200.',
    'errors.variables.missing',
    'errors.variables.type',
  ],
  'coercion-error-400': [
    'Variables that cannot be coerced are 400.',
    'errors.variables.missing',
    'errors.variables.type',
  ],
  'variables-coerced-leniently': [
    'A variable of the wrong type is converted.',
    'errors.variables.missing',
    'errors.variables.type',
    'errors.variables.int',
  ],
  'variables-ignored': ['No variable arrives.', 'core.variables.arrive', 'core.execute.variables'],
  'directives-ignored': [
    '@skip and @include do nothing.',
    'core.execute.directives',
    'core.variables.arrive',
  ],
  'mutation-fields-in-parallel': [
    'The fields of a mutation run all at once.',
    'core.execute.serial-mutations',
  ],
  'variable-defaults-ignored': ['The default of a variable is ignored.', 'core.variables.default'],
  'undeclared-variables-refused': [
    'A variable that the operation does not declare is refused.',
    'core.variables.undeclared',
  ],
} as const satisfies DefectTable
