import { isPromise } from '../base/promise.js'
import { showKind, showValue, tagOf } from './show-value.js'
import { suggest } from './suggest.js'

/** The values that an option accepts. */
export interface Shape {
  /** The accepted values in words, such as "a function". */
  readonly expected: string
  /** Whether the value is accepted, without looking inside it. */
  readonly fits: (value: unknown) => boolean
  /** Describes the first mistake inside an accepted value, starting with its path. */
  readonly findInside?: (value: never, path: string) => string | undefined
  /** A hint about a value that is not accepted, starting with a space. */
  readonly hint?: (value: unknown) => string
  /** Whether the option is required. Default: false. */
  readonly isRequired?: boolean
  /** Whether messages show only the kind of a value. Default: false. */
  readonly isSecret?: boolean
}

/** A shape for each option; a missing or surplus one does not compile. */
export type Shapes<Options> = { readonly [name in keyof Options]-?: Shape }

/** Throws a TypeError that names the wrong option and what was expected. */
export function checkOptions(caller: string, options: unknown, shape: Shape): void {
  const problem = findProblem({ ...shape, isRequired: true }, options, '')
  if (problem !== undefined) throw new TypeError(`${caller}: ${problem}`)
}

/** Checks what a function among the options has returned. `path` names it in the message. */
export function checkReturned(path: string, returned: unknown, shape: Shape): void {
  const problem = findProblem(shape, returned, path)
  if (problem === undefined) return
  // Without a reader, its rejection would end the process.
  if (isPromise(returned)) void Promise.resolve(returned).catch(() => undefined)
  throw new TypeError(problem)
}

/** Describes what is wrong with the value at a path, which is empty for the options object itself. */
function findProblem(shape: Shape, value: unknown, path: string): string | undefined {
  const { isRequired = false } = shape
  if (value === undefined && !isRequired) return undefined
  if (shape.fits(value)) return shape.findInside?.(value as never, path)
  const shownValue = shape.isSecret ? showKind(value) : showValue(value)
  const expected = isRequired ? shape.expected : orUndefined(shape.expected)
  const prefix = path === '' ? '' : `${path}: `
  return `${prefix}expected ${expected}, got ${shownValue}.${shape.hint?.(value) ?? ''}`
}

/** `one of 1, 2` becomes `1, 2 or undefined`. After a longer phrase a comma shows what the last "or" belongs to. */
function orUndefined(expected: string): string {
  if (expected.startsWith('one of ')) return `${expected.slice('one of '.length)} or undefined`
  return `${expected}${/,| or | such as /.test(expected) ? ',' : ''} or undefined`
}

/** How the members of an object are checked. */
export interface ObjectRules<Options> {
  /** Whether members without a shape are allowed. Default: false. */
  readonly isOpen?: boolean
  /** Describes a conflict between members that are valid on their own. */
  readonly findConflict?: (options: Options) => string | undefined
}

/** An object with a shape for each member. Members may be inherited. */
export function objectOf<Options>(
  example: string,
  shapes: Shapes<Options>,
  { isOpen = false, findConflict }: ObjectRules<Options> = {},
): Shape {
  const rows = Object.entries<Shape>(shapes)
  const names = rows.map(([name]) => name)
  return {
    expected: `an object such as ${example}`,
    fits: isPlain,
    findInside(value: { readonly [name: string]: unknown }, path) {
      const unknown = isOpen
        ? undefined
        : enumerableNames(value).find((name) => !Object.hasOwn(shapes, name))
      if (unknown !== undefined) {
        return `${join(path, unknown)} is not an option.${suggest(unknown, names, showValue)}`
      }
      for (const [name, shape] of rows) {
        const problem = findProblem(shape, value[name], join(path, name))
        if (problem !== undefined) return problem
      }
      return findConflict?.(value as Options)
    },
  }
}

/** Inherited members count, since they are read like own ones; the methods of classes do not. */
function enumerableNames(value: object): readonly string[] {
  const found: string[] = []
  for (const name in value) found.push(name)
  return found
}

/** An object with members of any name, or of names that fit a shape. */
export function recordOf(example: string, member: Shape, names?: Shape): Shape {
  return {
    expected: `an object such as ${example}`,
    fits: isPlain,
    findInside: (value: object, path) =>
      findFirst(Object.entries(value), ([name, one]) =>
        names === undefined || names.fits(name)
          ? findProblem(member, one, join(path, name))
          : `${path}: the member ${showValue(name)} must be ${names.expected}.`,
      ),
  }
}

export function listOf(expected: string, element: Shape): Shape {
  return {
    expected,
    fits: Array.isArray,
    findInside: (value: readonly unknown[], path) =>
      findFirst([...value.entries()], ([at, one]) =>
        findProblem({ ...element, isRequired: true }, one, `${path}[${at}]`),
      ),
  }
}

/** Accepts what either shape does; the first is of simple values. */
export function either(simple: Shape, shape: Shape): Shape {
  return {
    ...shape,
    expected: `${simple.expected} or ${shape.expected}`,
    fits: (value) => simple.fits(value) || shape.fits(value),
    findInside: (value, path) => (simple.fits(value) ? undefined : shape.findInside?.(value, path)),
  }
}

/** Accepts one word, or what the other shape accepts. */
export function wordOr(word: string, shape: Shape): Shape {
  return either({ expected: showValue(word), fits: (value) => value === word }, shape)
}

export function required(shape: Shape): Shape {
  return { ...shape, isRequired: true }
}

function findFirst<Element>(
  elements: readonly Element[],
  find: (element: Element) => string | undefined,
): string | undefined {
  for (const element of elements) {
    const found = find(element)
    if (found !== undefined) return found
  }
  return undefined
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

/** Accepts class instances, but not built-in objects that are never meant as options. */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return !['Array', 'Promise', 'Map', 'Set', 'Date', 'GraphQLSchema'].includes(tagOf(value))
}
