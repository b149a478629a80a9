import type { DefectTable } from './defects.js'

/** Defects in checking the parameters. */
export const parametersDefects = {
  'array-for-a-body-accepted': ['Of a list of requests the first is served.', 'batch.refused'],
  'unknown-properties-refused': [
    'A property that is not a parameter is refused.',
    'core.unknown-property',
    'core.unknown-property.inherited-names',
  ],
  'null-variables-refused': [
    '"variables": null is refused.',
    'core.null.variables',
    'core.null.all',
  ],
  'null-operation-name-refused': [
    '"operationName": null is refused.',
    'core.null.operation-name',
    'core.null.all',
  ],
  'null-extensions-refused': [
    '"extensions": null is refused.',
    'core.null.extensions',
    'core.null.all',
  ],
  'extensions-refused': ['extensions is refused.', 'core.extensions.map', 'get.extensions'],
  'query-of-any-type-accepted': ['query may be no string.', 'core.query.null', 'core.query.number'],
  'operation-name-of-any-type-accepted': [
    'operationName may be no string.',
    'core.operation-name.list',
    'core.operation-name.number',
  ],
  'extensions-of-any-type-accepted': [
    'extensions may be no map.',
    'core.extensions.list',
    'core.extensions.string',
  ],
  'variables-as-a-string-accepted': [
    'variables may be a string.',
    'core.variables.string',
    'get.variables.string',
  ],
  'variables-as-a-list-accepted': [
    'variables may be a list.',
    'core.variables.list',
    'get.variables.list',
  ],
  'prototype-lookup-of-parameters': [
    'A parameter is found in the prototype that __proto__ makes.',
    'core.query.prototype',
    'core.unknown-property.inherited-names',
  ],
  'malformed-request-200': [
    'JSON that is not a request is 200 with errors.',
    'core.body.list',
    'core.query.missing',
    'core.variables.list',
  ],
  'malformed-request-400': [
    'JSON that is not a request is 400.',
    'core.body.list.status',
    'core.query.missing',
    'core.variables.list.status',
    'core.variables.string.status',
  ],
} as const satisfies DefectTable
