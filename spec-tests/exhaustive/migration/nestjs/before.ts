import 'reflect-metadata'
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo'
import { Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { GraphQLModule } from '@nestjs/graphql'
import { findUser, ShopResolver, typeDefs } from './shop.js'

const graphql = GraphQLModule.forRoot<ApolloDriverConfig>({
  driver: ApolloDriver,
  typeDefs,
  context: ({ req }) => ({ user: findUser(req.get('x-user')) }),
})

@Module({ imports: [graphql], providers: [ShopResolver] })
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] })
app.enableCors({ origin: ['https://app.example.com'], credentials: true })
await app.listen(process.env.PORT ?? 4000, 'localhost')
const { port } = app.getHttpServer().address()
console.log(`http://localhost:${port}/graphql`)
