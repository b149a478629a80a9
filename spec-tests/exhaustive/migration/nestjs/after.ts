import 'reflect-metadata'
import { Catch, HttpException, HttpStatus, Module, type ExceptionFilter } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { GraphQLModule } from '@nestjs/graphql'
import { GraphQLError } from 'graphql'
import { fieldValue } from 'graphwire'
import { GraphwireDriver, type GraphwireDriverConfig } from './graphwire-driver.js'
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

/** What guards and resolvers throw for clients: every other error is masked. */
@Catch(HttpException)
class HttpExceptionFilter implements ExceptionFilter<HttpException> {
  catch(exception: HttpException): GraphQLError {
    const code = HttpStatus[exception.getStatus()]
    return new GraphQLError(exception.message, { extensions: { code } })
  }
}

@Module({ imports: [graphql], providers: [ShopResolver] })
class AppModule {}

const app = await NestFactory.create(AppModule, { bodyParser: false, logger: ['error', 'warn'] })
app.useGlobalFilters(new HttpExceptionFilter())
await app.listen(process.env.PORT ?? 4000, 'localhost')
const { port } = app.getHttpServer().address()
console.log(`http://localhost:${port}/graphql`)
