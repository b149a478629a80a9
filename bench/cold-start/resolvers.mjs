/** The one resolver, the same for every contender. */
export const resolvers = {
  Query: { hello: (_, { name }) => `Hello, ${name}!` },
}
