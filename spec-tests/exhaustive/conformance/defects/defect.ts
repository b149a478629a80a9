import type { GraphQLSchema } from 'graphql'
import type { CaseReport } from '../../../../src/conformance/suite/report.js'
import { readSuite } from '../../../../src/conformance/suite/suite.js'
import type { HeaderList, StreamBody } from '../../../../src/http/message.js'
import type { ConnectionOptions, ServeOptions } from '../../../../src/hosts/node/index.js'
import type { Incoming } from '../../../../src/hosts/node/exchange/incoming.js'

/** A whole request, as the handler is to see it. */
export interface Request {
  readonly method: string
  readonly target: string
  readonly headers: HeaderList
  readonly body: Buffer
  /** The body as the client framed it. */
  readonly pieces: readonly Buffer[]
  readonly raw: Incoming
}

/** A response of the handler; the names of its headers are in lower case. */
export interface Response {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string | Uint8Array | StreamBody
}

/** Stands around the handler: may change the request, the response, or do without either. */
export type Around = (request: Request, next: Next) => Response | Promise<Response>
export type Next = (request: Request) => Promise<Response>

/** A connection, from the middle. */
export interface Link {
  /** Sends to the client, and to the server. */
  send(bytes: string): void
  pass(bytes: string): void
  /** Closes it: behind what was sent, or at once by a reset. */
  end(): void
  reset(): void
}

/** Stands in a connection, and changes its bytes (as Latin-1). */
export interface Wire {
  /** The bytes of the client. */
  readonly client?: (bytes: string) => string
  /** The bytes of the server. */
  readonly server?: (bytes: string) => string
  /** What is added where the client ends. */
  readonly ended?: () => string
  readonly closed?: () => void
}

/** How a good server becomes one with a defect: by options, around its handler, or in its connections. */
export interface Layers {
  readonly options?: Partial<ServeOptions>
  readonly host?: ConnectionOptions
  readonly around?: Around
  readonly wire?: (link: Link) => Wire
  /** The server is not told of the end of a connection. */
  readonly keepsBehind?: boolean
}

/** The layers; those with a state, or with a need for the schema, are made for each server. */
export type Transformation = Layers | ((schema: GraphQLSchema) => Layers)

/** By name: what is wrong, the ids of the cases that must notice it, and what makes it wrong. */
export type DefectTable = Readonly<
  Record<string, readonly [says: string, noticedBy: string, transformation: Transformation]>
>

/** A defect, and the cases that must notice it. */
export interface Defect {
  readonly name: string
  readonly says: string
  readonly noticedBy: readonly string[]
  readonly transformation: Transformation
}

/** The defects of tables, in their order. */
export function listDefects(...tables: readonly DefectTable[]): readonly Defect[] {
  return tables
    .flatMap((table) => Object.entries(table))
    .map(([name, [says, ids, transformation]]) => {
      return { name, says, noticedBy: ids.split(' '), transformation }
    })
}

/** The cases of some suites that no defect breaks. */
export function unbrokenIn(suites: readonly string[], list: readonly Defect[]): readonly string[] {
  const broken = new Set(list.flatMap(({ noticedBy }) => noticedBy))
  const cases = readSuite().cases.filter(({ suite }) => suites.includes(suite))
  return cases.map(({ id }) => id).filter((id) => !broken.has(id))
}

/** The transformation of a defect. */
export function transformationOf(list: readonly Defect[], name: string): Transformation {
  const found = list.find((one) => one.name === name)
  if (found === undefined) throw new Error(`There is no defect ${name}.`)
  return found.transformation
}

/** What the cases of a suite find out about each defect, so many servers at once. */
export async function holdAll(
  list: readonly Defect[],
  atOnce: number,
  hold: (defect: Defect) => Promise<readonly CaseReport[]>,
): Promise<ReadonlyMap<Defect, readonly CaseReport[]>> {
  const found = new Map<Defect, readonly CaseReport[]>()
  const waiting = [...list]
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      found.set(next, await hold(next))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return found
}

/** The ids of the cases that see something: what no text demands is information, and noticed all the same. */
export function noticedIn(cases: readonly CaseReport[]): ReadonlySet<string> {
  return new Set(cases.filter(({ verdict }) => /fail|warn|info/.test(verdict)).map(({ id }) => id))
}

export function show({ id, verdict, message }: CaseReport): string {
  return `${id}: ${verdict}: ${message}`
}
