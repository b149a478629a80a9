import { ForbiddenException } from '@nestjs/common'
import { Args, Context, Mutation, Query, Resolver } from '@nestjs/graphql'
import { GraphQLError } from 'graphql'

export const typeDefs = `
  type Query {
    hello(name: String!): String!
    me: String
    price: Int
    stock: Int
    total: Int!
  }
  type Mutation {
    count: Int!
  }
`

function queryDatabase(): never {
  throw new Error('connect ECONNREFUSED 10.0.0.7:5432')
}

@Resolver()
export class ShopResolver {
  #count = 0

  @Query('hello')
  hello(@Args('name') name: string): string {
    return `Hello, ${name}!`
  }

  @Query('me')
  me(@Context('user') user: string | undefined): string | undefined {
    return user
  }

  @Query('price')
  price(): number {
    throw new ForbiddenException('Log in to see prices.')
  }

  @Query('stock')
  stock(): number {
    return queryDatabase()
  }

  @Query('total')
  total(): number {
    return queryDatabase()
  }

  @Mutation('count')
  count(): number {
    return ++this.#count
  }
}

export function findUser(name: string | undefined): string | undefined {
  if (name !== 'mallory') return name
  const extensions = { code: 'UNAUTHENTICATED', http: { status: 401 } }
  throw new GraphQLError('Log in again.', { extensions })
}
