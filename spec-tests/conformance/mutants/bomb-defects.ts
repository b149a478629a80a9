import type { DefectTable } from './defects.js'

/** Requests that are small to send and large to work on. */
const bombs = [
  'http.limit.aliases',
  'http.limit.definitions',
  'http.limit.depth',
  'http.limit.depth-fragments',
  'http.limit.directives',
  'http.limit.fragment-cycle',
  'http.limit.fragments',
  'http.limit.fragments-fields',
  'http.limit.introspection-aliases',
  'http.limit.introspection-circular',
  'http.limit.json-depth',
  'http.limit.json-keys',
  'http.limit.list-literal',
  'http.limit.list-variable',
  'http.limit.name',
  'http.limit.object-literal',
  'http.limit.object-variable',
  'http.limit.repeated-field',
  'http.limit.string',
  'http.limit.variables',
] as const

/** Defects in the face of requests that are too much to work on. */
export const bombDefects = {
  'bomb-500': ['What is too much to work on is 500.', ...bombs],
  'bomb-unanswered': [
    'What is too much to work on makes the server cut the connection without a word.',
    ...bombs,
  ],
  'bomb-outlived-by-nobody': [
    'What is too much to work on is refused, and then the server is down.',
    ...bombs,
  ],
} as const satisfies DefectTable
