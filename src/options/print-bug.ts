import { cutText } from '../base/cut-text.js'
import type { BugReporter, RequestInfo } from './request-info.js'

/** How many bugs of a request are printed in full. */
const mostShown = 10

/**
 * Makes the default `onBug`, which prints with console.error. A list can fail at each of its items, with errors that repeat
 * what the client sent, and what a slow log has not written waits in memory. So the first bugs of a request are printed,
 * with limits, and the others counted.
 */
export function createBugPrinter(): BugReporter {
  /** The number of bugs of a request so far, and the id of the first one. */
  const printed = new WeakMap<RequestInfo, { count: number; readonly first: string }>()
  return (bug, details, request) => {
    const id = cutText(details.id, 100)
    if (request === undefined) return console.error(`graphwire: bug ${id} ${showBug(bug)}`)
    let bugs = printed.get(request)
    if (bugs === undefined) printed.set(request, (bugs = { count: 0, first: id }))
    bugs.count++
    if (bugs.count <= mostShown) {
      // With a path it is an error of a resolver.
      const isOfResolver = details.path !== undefined
      const shown = isOfResolver && !isProduction() ? ownFrames(showBug(bug)) : showBug(bug)
      const what = isOfResolver ? 'error' : 'bug'
      console.error(`graphwire: ${what} ${id}${placeOf(details)} ${shown}`)
    } else if (bugs.count === mostShown + 1) {
      console.error(
        `graphwire: the request of bug ${bugs.first} has more than ${mostShown} bugs; ` +
          'further ones are not printed, only counted',
      )
    } else if (isPowerOfTen(bugs.count)) {
      console.error(`graphwire: the request of bug ${bugs.first} has ${bugs.count} bugs so far`)
    }
  }
}

/** Nothing calls at the end of a request, so its number of bugs is only known by order of magnitude. */
function isPowerOfTen(count: number): boolean {
  return /^10+$/.test(String(count))
}

function placeOf({ operationName, path, step }: Parameters<BugReporter>[1]): string {
  const name = operationName === undefined ? '' : ` operation ${cutText(operationName, 100)}`
  const operation = step === undefined ? name : `${name} at ${step}`
  try {
    if (path === undefined) return operation
    return `${operation} path ${cutText(path.slice(0, 100).join('.'), 500)}`
  } catch {
    // A resolver can throw an error with any path.
    return operation
  }
}

function isProduction(): boolean {
  return globalThis.process?.env['NODE_ENV'] === 'production'
}

/** Removes the frames of Node and of packages: authors of resolvers need only their own. */
function ownFrames(text: string): string {
  const lines = text.split('\n')
  const own = lines.filter((line) => !isFrame(line) || !isForeign.test(line))
  return own.some(isFrame) ? own.join('\n') : text
}

function isFrame(line: string): boolean {
  return /^ +at /.test(line)
}

/** Takes linear time, whatever a message has. */
const isForeign = /[( ]node:|[\\/]node_modules[\\/]/

/** The maximum length of the text of a bug: a stack with that of its cause, and what a library adds. */
const maxLength = 8192
const maxMessageLength = 2048
/** The most values that are inspected: `Reach` counts them first. */
const maxValues = 2000
const maxItems = 20
const maxStringLength = 1000
/** For all texts together, since `inspect` quotes each of their lines. */
const maxTextLength = 16_384
const maxDepth = 2

/** The text of anything that was thrown; never long, and never throws. */
function showBug(bug: unknown): string {
  try {
    return cutText(inspect(bug) ?? showPlainly(bug, maxDepth), maxLength)
  } catch {
    // For example because of its getters.
    return '(the error could not be printed)'
  }
}

/** As console.error shows it; undefined if that could take long, or in runtimes without node:util. */
function inspect(bug: unknown): string | undefined {
  const util = globalThis.process?.getBuiltinModule?.('node:util')
  if (util === undefined || !new Reach().isSmall(bug, maxDepth)) return undefined
  return util.inspect(bug, { depth: maxDepth, maxStringLength, maxArrayLength: maxItems })
}

/**
 * Walks what would be inspected. `util.inspect` limits each string and list, but neither stacks, which it compares
 * line by line with those of causes, nor the number of members, nor all texts together.
 */
class Reach {
  #values = 0
  #stackLength = 0
  #textLength = 0

  isSmall(value: unknown, depth: number): boolean {
    if (++this.#values > maxValues) return false
    if (typeof value === 'string') return this.#isShort(value)
    if (typeof value === 'function') return Reflect.ownKeys(value).length <= maxItems
    if (typeof value !== 'object' || value === null) return true
    // What other classes hold, such as promises and URLSearchParams, cannot be looked at here.
    if (!isTransparent(value)) return false
    if (value instanceof Error) {
      this.#stackLength += String(value.stack).length + value.message.length
      if (this.#stackLength > 2 * maxLength) return false
    }
    if (depth < 0) return true
    if (Array.isArray(value)) {
      return value.slice(0, maxItems).every((item) => this.isSmall(item, depth - 1))
    }
    if (value instanceof Map || value instanceof Set) {
      if (value.size > maxItems) return false
      const inner = [...(value as Iterable<unknown>)].flat()
      if (!inner.every((item) => this.isSmall(item, depth - 1))) return false
    }
    const names = Reflect.ownKeys(value)
    return (
      names.length <= maxValues && names.every((name) => this.#isSmallMember(value, name, depth))
    )
  }

  #isSmallMember(value: object, name: string | symbol, depth: number): boolean {
    const { enumerable, value: member } = Reflect.getOwnPropertyDescriptor(value, name) ?? {}
    if (enumerable !== true && name !== 'cause' && name !== 'errors') return true
    return this.#isShort(String(name)) && this.isSmall(member as unknown, depth - 1)
  }

  #isShort(text: string): boolean {
    this.#textLength += Math.min(text.length, maxStringLength)
    return this.#textLength <= maxTextLength
  }
}

/** Whether everything that `util.inspect` shows of an object can be walked: it may have a function of its own for that. */
function isTransparent(value: object): boolean {
  if (Reflect.get(value, Symbol.for('nodejs.util.inspect.custom')) !== undefined) return false
  return value instanceof Error || transparent.has(Object.prototype.toString.call(value))
}

const transparent: ReadonlySet<string> = new Set([
  '[object Object]',
  '[object Array]',
  '[object Map]',
  '[object Set]',
  '[object Date]',
])

/** The message, the lines of the stack, and those of causes. */
function showPlainly(bug: unknown, depth: number): string {
  if (!(bug instanceof Error)) {
    // As text, a list within a list within a list may be very long.
    if (typeof bug === 'object' && bug !== null) return Object.prototype.toString.call(bug)
    return cutText(String(bug), maxMessageLength)
  }
  const { name, message, stack = '', cause, errors } = bug as Error & { readonly errors?: unknown }
  const at = stack.indexOf(message)
  // Only some runtimes repeat the message in the stack.
  const frames = cutText(
    at === -1 ? `\n${stack}` : stack.slice(at + message.length),
    maxMessageLength,
  )
  const shown = `${name}: ${cutText(message, maxMessageLength)}${frames}`
  if (depth === 0) return shown
  const inner = [cause, ...(Array.isArray(errors) ? errors.slice(0, 2) : [])]
  const causes = inner.filter((one) => one !== undefined && one !== null)
  return [shown, ...causes.map((one) => `[cause]: ${showPlainly(one, depth - 1)}`)].join('\n')
}
