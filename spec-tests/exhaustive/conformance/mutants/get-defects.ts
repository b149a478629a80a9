import type { DefectTable } from './defects.js'

/** Defects in reading a URL. */
export const getDefects = {
  'get-plus-kept': ['+ in a query component is not a space.', 'get.plus'],
  'get-names-not-decoded': ['Names of parameters are not percent-decoded.', 'get.names'],
  'get-decoded-twice': ['The query component is percent-decoded twice.', 'get.literals'],
  'get-semicolon-separates': ['A semicolon separates parameters as & does.', 'get.literals'],
  'get-in-latin1': ['Percent-encoded bytes are read as Latin-1.', 'get.utf-8'],
  'get-variables-not-parsed': [
    'variables of a GET is treated as a string.',
    'get.variables',
    'get.extensions',
  ],
  'get-broken-variables-ignored': [
    'variables of a GET that is not JSON is ignored.',
    'get.variables.text',
    'get.variables.broken',
  ],
  'get-empty-json-refused': [
    'An empty variables or extensions of a GET is refused as broken JSON.',
    'get.empty-string.extensions',
    'get.empty-string.all',
  ],
  'get-empty-name-kept': [
    'An empty operationName of a GET is searched for in the document.',
    'get.empty-string.operation-name',
    'get.empty-string.all',
  ],
  'get-operation-name-null-is-none': [
    'operationName=null in a URL counts as absent.',
    'get.operation-name.null',
    'get.operation-name.null-unknown',
  ],
} as const satisfies DefectTable
