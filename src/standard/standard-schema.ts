import { EventEmitter, once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { GraphQLSchema } from 'graphql'
import { packageFile } from '../base/package-file.js'
import { buildSchema, shownError } from '../graphql/schema/build-schema.js'
import type { TypeResolvers } from '../graphql/schema/resolvers.js'

interface StoredPerson {
  readonly id: string
  readonly name: string
  readonly age: number | null
  readonly friends: readonly string[]
  readonly address: { readonly [name: string]: string | null } | null
}

/**
 * The standard schema of the conformance suite with its own state, as defined in fixtures/standard. `readFixture`
 * gives the text of a file there, for runtimes without files.
 */
export function createStandardSchema(
  readFixture: (name: string) => string = readFixtureFile,
): GraphQLSchema {
  const persons = new Map<string, StoredPerson>()
  for (const person of JSON.parse(readFixture('persons.json')) as StoredPerson[]) {
    persons.set(person.id, person)
  }
  // More than ten subscriptions may wait for its next value.
  const counter = { value: 0, changes: new EventEmitter().setMaxListeners(0) }
  const sources = new Set<object>()

  const friends = (person: StoredPerson, { limit }: { limit?: number | null }): StoredPerson[] => {
    if (typeof limit === 'number' && limit < 0) throw shownError('limit must not be negative.')
    const ids = typeof limit === 'number' ? person.friends.slice(0, limit) : person.friends
    return ids.map((id) => persons.get(id)).filter((friend) => friend !== undefined)
  }
  const rename = (_: unknown, { id, name }: { id: string; name: string }): StoredPerson | null => {
    const person = persons.get(id)
    if (person === undefined) return null
    const renamed = { ...person, name }
    persons.set(id, renamed)
    return renamed
  }

  return buildSchema(readFixture('schema.graphql'), {
    Query: {
      person: (_: unknown, { id }: { id: string }) => persons.get(id),
      echo: (_: unknown, { s }: { s: string }) => s,
      fail: () => Promise.reject(shownError('The field fail fails.')),
      failNonNull: () => Promise.reject(shownError('The field failNonNull fails.')),
      slow: (_: unknown, { ms }: { ms: number }) => sleep(checkRange('ms', ms, 60_000), String(ms)),
      counter: () => counter.value,
      people: () => [...persons.values()],
      openSources: () => sources.size,
    },
    Mutation: {
      renamePerson: rename,
      increment() {
        counter.value++
        counter.changes.emit('change')
        return counter.value
      },
      receiveFiles: (_: unknown, { files }: FilesArguments) => receiveFiles(files),
      ignoreFiles: (_: unknown, { files }: FilesArguments) => files.length,
    },
    Upload: { parseValue: fileOf },
    Subscription: subscriptionResolvers(counter, sources),
    Person: { friends },
  })
}

/** A file as resolvers get it from a reader of uploads. */
interface Upload {
  open(): Promise<UploadedFile>
}

interface UploadedFile {
  readonly filename: string
  readonly mediaType: string
  readonly stream: ReadableStream<Uint8Array>
}

function fileOf(value: unknown): Upload {
  if (isFile(value)) return value
  throw new TypeError('A file must be sent as a part of a multipart request.')
}

function isFile(value: unknown): value is Upload {
  const { open } = (value ?? {}) as { readonly open?: unknown }
  return typeof open === 'function'
}

interface FilesArguments {
  readonly files: readonly Upload[]
}

/** Reads each file once, all of them at once: they come in the order that the client has chosen. */
function receiveFiles(files: readonly Upload[]): Promise<object>[] {
  const received = new Map([...new Set(files)].map((file) => [file, receiveFile(file)]))
  return files.map((file) => received.get(file) as Promise<object>)
}

async function receiveFile(file: Upload): Promise<object> {
  const { filename: name, mediaType, stream } = await file.open()
  const head: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.byteLength
    if (size <= 1000) head.push(chunk)
  }
  const text = size > 1000 ? null : await new Blob(head).text()
  return { name, mediaType, size, text }
}

function readFixtureFile(name: string): string {
  return readFileSync(packageFile(`fixtures/standard/${name}`), 'utf8')
}

/** The number that `increment` counts up, and that the subscription `counter` follows. */
interface Counter {
  readonly value: number
  readonly changes: EventEmitter
}

/** The resolvers of the subscriptions of the standard schema; `open` holds the sources that are open. */
function subscriptionResolvers(counter: Counter, open: Set<object>): TypeResolvers<unknown> {
  const subscribe = (next: NextEvent<object>) => openSource(open, next)
  return {
    countdown: {
      subscribe(_: unknown, { from, delay }: { from: number; delay?: number | null }) {
        const ms = checkRange('delay', delay ?? 0, 60_000)
        let left = from
        return subscribe(async (closing) => {
          if (left < from && ms > 0) await sleep(ms, undefined, { signal: closing })
          return left < 0 ? undefined : { countdown: left-- }
        })
      },
    },
    counter: {
      subscribe() {
        let next = counter.value
        return subscribe(async (closing) => {
          while (counter.value < next) await once(counter.changes, 'change', { signal: closing })
          return { counter: next++ }
        })
      },
    },
    breaks: {
      subscribe(_: unknown, { after }: { after: number }) {
        let at = 0
        return subscribe(async () => {
          if (at < after) return { breaks: at++ }
          throw shownError('The source of breaks fails.')
        })
      },
    },
    odd: {
      subscribe(_: unknown, { count }: { count: number }) {
        let at = 0
        return subscribe(async () => {
          if (at >= count) return undefined
          const value = at++
          return { odd: value % 2 === 0 ? value : shownError('The number is odd.') }
        })
      },
    },
    refused: { subscribe: () => Promise.reject(shownError('The subscription is refused.')) },
    silent: {
      subscribe: () =>
        subscribe(async (closing) => {
          await once(closing, 'abort')
          return undefined
        }),
    },
    flood: {
      subscribe(_: unknown, { bytes }: { bytes: number }) {
        const event = { flood: 'x'.repeat(checkRange('bytes', bytes, 1024 * 1024)) }
        return subscribe(async () => event)
      },
    },
  }
}

function checkRange(name: string, value: number, max: number): number {
  if (value < 0 || value > max) throw shownError(`${name} must be 0 to ${max}.`)
  return value
}

/**
 * What a source does next: an event, or undefined at its end. `closing` is aborted when the consumer has closed the
 * source; the promise must then settle at once, in any way.
 */
export type NextEvent<Event> = (closing: AbortSignal) => Promise<Event | undefined>

/**
 * Opens a source of events. It is in `open` until it ends, fails or is closed, and `return()` closes it at once, even
 * while it waits: an async generator would wait with it.
 */
export function openSource<Event>(
  open: Set<object>,
  nextEvent: NextEvent<Event>,
): AsyncIterableIterator<Event> {
  const closing = new AbortController()
  const { signal } = closing
  const close = (): void => {
    open.delete(closing)
    closing.abort()
  }
  open.add(closing)
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    async next() {
      try {
        const event = signal.aborted ? undefined : await nextEvent(signal)
        if (event !== undefined && !signal.aborted) return { value: event, done: false }
      } catch (error) {
        if (!signal.aborted) {
          close()
          throw error
        }
      }
      close()
      return done()
    },
    return() {
      close()
      return Promise.resolve(done())
    },
  }
}

function done(): { readonly value: undefined; readonly done: true } {
  return { value: undefined, done: true }
}
