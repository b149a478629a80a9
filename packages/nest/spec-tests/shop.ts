import 'reflect-metadata'
import {
  BadRequestException,
  Catch,
  Controller,
  ForbiddenException,
  Get,
  HttpException,
  Inject,
  Injectable,
  InternalServerErrorException,
  Module,
  NotFoundException,
  Scope,
  UnauthorizedException,
  UseFilters,
  UseGuards,
} from '@nestjs/common'
import type { CanActivate, DynamicModule, ExecutionContext } from '@nestjs/common'
import { REQUEST } from '@nestjs/core'
import {
  Args,
  Context,
  Field,
  GqlExecutionContext,
  GraphQLModule,
  Int,
  Mutation,
  ObjectType,
  Query,
  ResolveField,
  Resolver,
  Subscription,
} from '@nestjs/graphql'
import { GraphwireDriver, type GraphwireDriverConfig, type NestRequest } from '@graphwire/nest'

/** What guards usually do: the user is in a header. */
@Injectable()
class UserGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { req } = GqlExecutionContext.create(context).getContext<{ readonly req: NestRequest }>()
    const user = req.headers['x-user']
    if (user === undefined) throw new UnauthorizedException('Log in first.')
    return user === 'admin'
  }
}

/** As in Nest's documentation. */
@Catch(HttpException)
class ReturningFilter {
  catch(exception: HttpException): HttpException {
    return exception
  }
}

@ObjectType()
class Book {
  @Field(() => String)
  title!: string

  @Field(() => Int, { nullable: true })
  pages?: number
}

/** A provider of each request, which Nest finds by the context. */
@Injectable({ scope: Scope.REQUEST })
class Visitor {
  readonly #request: { readonly req: NestRequest }

  constructor(@Inject(REQUEST) request: { readonly req: NestRequest }) {
    this.#request = request
  }

  get name(): string {
    return String(this.#request.req.headers['x-user'] ?? 'guest')
  }
}

const failures: { readonly [kind: string]: () => Error } = {
  missing: () => new NotFoundException('No such book.'),
  forbidden: () => new ForbiddenException(),
  invalid: () => new BadRequestException(['title is too long', 'pages must be positive']),
  internal: () => new InternalServerErrorException('connect ECONNREFUSED 10.0.0.7'),
  bug: () => new Error('connect ECONNREFUSED 10.0.0.7'),
}

/** The events of a subscription, and how many subscribers have left. */
export const ticks = { left: 0 }

function tick(): AsyncIterableIterator<{ readonly tick: number }> {
  let isFirst = true
  return {
    async next() {
      if (!isFirst) await new Promise(() => {})
      isFirst = false
      return { done: false, value: { tick: 1 } }
    },
    async return() {
      ticks.left += 1
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

@Resolver(() => Book)
class ShopResolver {
  readonly #visitor: Visitor
  #count = 0

  constructor(@Inject(Visitor) visitor: Visitor) {
    this.#visitor = visitor
  }

  @Query(() => Book)
  book(@Args('title', { type: () => String }) title: string): Book {
    return { title, pages: 300 }
  }

  @Query(() => String)
  visitor(): string {
    return this.#visitor.name
  }

  @Query(() => String, { nullable: true })
  principal(@Context('principal') principal: string | undefined): string | undefined {
    return principal
  }

  @Query(() => String, { nullable: true })
  added(@Context('added') added: string | undefined): string | undefined {
    return added
  }

  @Query(() => String, { nullable: true })
  @UseGuards(UserGuard)
  secret(): string {
    return '42'
  }

  @Query(() => String, { nullable: true })
  async fails(@Args('kind', { type: () => String }) kind: string): Promise<string> {
    await Promise.resolve()
    throw failures[kind]?.() ?? new TypeError(kind)
  }

  @Query(() => String, { nullable: true })
  @UseFilters(ReturningFilter)
  filtered(): string {
    throw new NotFoundException('No such book.')
  }

  @ResolveField(() => String, { nullable: true })
  cover(): unknown {
    return new NotFoundException('No cover.')
  }

  @Mutation(() => Int)
  count(): number {
    return ++this.#count
  }
}

/** Subscriptions cannot have providers of a request. */
@Resolver()
class TickResolver {
  @Subscription(() => Int)
  tick(): AsyncIterableIterator<{ readonly tick: number }> {
    return tick()
  }

  @Subscription(() => Int, { resolve: ({ tick: value }: { readonly tick: number }) => value })
  @UseGuards(UserGuard)
  secretTick(): AsyncIterableIterator<{ readonly tick: number }> {
    return tick()
  }
}

@Controller()
class StatusController {
  @Get('status')
  status(): string {
    return 'ready'
  }
}

@Module({})
export class ShopModule {
  /** Each with options has a path of its own. */
  static with(...modules: readonly Partial<GraphwireDriverConfig>[]): DynamicModule {
    const imports = modules.map((options) =>
      GraphQLModule.forRoot<GraphwireDriverConfig>({
        driver: GraphwireDriver,
        autoSchemaFile: true,
        ...options,
      }),
    )
    return {
      module: ShopModule,
      imports,
      controllers: [StatusController],
      providers: [Visitor, ShopResolver, TickResolver],
    }
  }
}
