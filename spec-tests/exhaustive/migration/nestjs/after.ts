import 'reflect-metadata'
import { GraphwireDriver, type GraphwireDriverConfig } from '@graphwire/nest'
import { Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { GraphQLModule } from '@nestjs/graphql'
import { fieldValue } from 'graphwire'
import { findUser, ShopResolver, typeDefs } from './shop.js'

const graphql = GraphQLModule.forRoot<GraphwireDriverConfig>({
  driver: GraphwireDriver,
  typeDefs,
  handler: {
    context: ({ head }) => ({ user: findUser(fieldValue(head.headers, 'x-user')) }),
    cors: { origins: ['https://app.example.com'], credentials: true },
    introspection: process.env.NODE_ENV !== 'production',
  },
})

@Module({ imports: [graphql], providers: [ShopResolver] })
class AppModule {}

const app = await NestFactory.create(AppModule, { bodyParser: false, logger: ['error', 'warn'] })
await app.listen(process.env.PORT ?? 4000, 'localhost')
const { port } = app.getHttpServer().address()
console.log(`http://localhost:${port}/graphql`)
