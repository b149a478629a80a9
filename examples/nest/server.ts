import 'reflect-metadata'
import { GraphwireDriver, type GraphwireDriverConfig } from '@graphwire/nest'
import { Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { Args, GraphQLModule, Mutation, Query, Resolver } from '@nestjs/graphql'

@Resolver()
class HelloResolver {
  #count = 0

  @Query('hello')
  hello(@Args('name') name: string): string {
    return `Hello, ${name}!`
  }

  @Mutation('count')
  count(): number {
    return ++this.#count
  }
}

const graphql = GraphQLModule.forRoot<GraphwireDriverConfig>({
  driver: GraphwireDriver,
  typeDefs: `
    type Query { hello(name: String = "world"): String! }
    type Mutation { count: Int! }
  `,
})

@Module({ imports: [graphql], providers: [HelloResolver] })
class AppModule {}

// graphwire reads the bodies itself, to keep all checks. Controllers that need a parser add one behind it.
const app = await NestFactory.create(AppModule, { bodyParser: false, logger: ['error', 'warn'] })
await app.listen(process.env.PORT ?? 4000, 'localhost')
const { port } = app.getHttpServer().address() as { port: number }
console.log(`http://localhost:${port}/graphql`)
