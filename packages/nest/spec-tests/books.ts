import 'reflect-metadata'
import { GraphwireDriver, type GraphwireDriverConfig } from '@graphwire/nest'
import { createPubSub } from '@graphwire/pubsub'
import { Module, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common'
import {
  Args,
  Field,
  GqlExecutionContext,
  GraphQLModule,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Subscription,
} from '@nestjs/graphql'
import { fieldValue, success } from 'graphwire'

@ObjectType()
class Book {
  @Field(() => String)
  title!: string
}

class UserGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { principal } = GqlExecutionContext.create(context).getContext<{ principal?: string }>()
    return principal !== undefined
  }
}

const pubsub = createPubSub()
const users = new Map([['Bearer a-token', 'Ada']]) // use your database

@Resolver(() => Book)
class BookResolver {
  @Query(() => Book)
  book(@Args('title', { type: () => String }) title: string): Book {
    return { title }
  }

  @Mutation(() => Book)
  @UseGuards(UserGuard)
  async addBook(@Args('title', { type: () => String }) title: string): Promise<Book> {
    await pubsub.publish('book', { bookAdded: { title } }) // an event has a member with the name of the field
    return { title }
  }

  @Subscription(() => Book)
  bookAdded(): AsyncIterable<unknown> {
    return pubsub.subscribe('book')
  }
}

const graphql = GraphQLModule.forRoot<GraphwireDriverConfig>({
  driver: GraphwireDriver,
  autoSchemaFile: true,
  websocket: true,
  handler: {
    // Undefined for guests.
    authenticate: ({ headers }) => success(users.get(fieldValue(headers, 'authorization') ?? '')),
    cors: { origins: ['https://app.example.com'] },
  },
})

@Module({ imports: [graphql], providers: [BookResolver] })
export class BooksModule {}
