import { createIde } from '@graphwire/ide'
import { GraphwireDriver } from '@graphwire/nest'
import { Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { GraphQLModule } from '@nestjs/graphql'

// oxlint-disable-next-line typescript/no-extraneous-class -- a module of Nest is one
class AppModule {}
const graphql = GraphQLModule.forRoot({
  driver: GraphwireDriver,
  typeDefs: 'type Query { a: Int }',
  handler: { ide: createIde(), rootValue: { a: 1 } },
})
Module({ imports: [graphql] })(AppModule)

const app = await NestFactory.create(AppModule, { bodyParser: false, logger: ['error', 'warn'] })
await app.listen(0, '127.0.0.1')
console.log(`http://127.0.0.1:${app.getHttpServer().address().port}/graphql`)
