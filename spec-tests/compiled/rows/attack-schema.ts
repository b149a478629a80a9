export const sdl = `
  scalar Any
  type Query {
    any: Any  required: Any!  anys: [Any]  text: String  other: String  number: Int
    self: Query  must: Query!  list: [Query]  texts: [String]
  }
`
