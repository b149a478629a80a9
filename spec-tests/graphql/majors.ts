import * as graphql16 from 'graphql-16'
import * as graphql17 from 'graphql'

/** What an introspection query can ask of both majors. */
export const everything = {
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
}

export const majors: readonly (readonly [name: string, module: typeof graphql17])[] = [
  ['graphql 16', graphql16 as unknown as typeof graphql17],
  ['graphql 17', graphql17],
]
