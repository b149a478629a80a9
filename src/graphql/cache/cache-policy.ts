import type { GraphQLInterfaceType, GraphQLObjectType, GraphQLSchema } from 'graphql'
import { remember } from '../../base/remember.js'
import type { Field } from '../js/graphql.js'
import { readHint, type CacheHint, type CompositeType, type DeclaredHint } from './cache-hint.js'

/** How a whole response may be stored. */
export interface CachePolicy {
  /** In seconds; `Infinity` if nothing says how long. */
  readonly maxAge: number
  /** Whether something is for the client alone. */
  readonly isPrivate: boolean
  /** Whether everything with a lifetime of its own is explicitly PUBLIC. */
  readonly isPublic: boolean
}

export const unrestricted: CachePolicy = { maxAge: Infinity, isPrivate: false, isPublic: true }

export const notStored: CachePolicy = { maxAge: 0, isPrivate: false, isPublic: false }

/** The policy of two parts together: the shorter lifetime, and private if one of them is. */
export function restrict(one: CachePolicy, other: CachePolicy): CachePolicy {
  const maxAge = Math.min(one.maxAge, other.maxAge)
  const isPrivate = one.isPrivate || other.isPrivate
  const isPublic = one.isPublic && other.isPublic
  const isSame = maxAge === one.maxAge && isPrivate === one.isPrivate && isPublic === one.isPublic
  return isSame ? one : { maxAge, isPrivate, isPublic }
}

/** A hint of a resolver can only shorten the lifetime, or make it private. */
export function restrictBy(
  policy: CachePolicy,
  { maxAge = Infinity, scope }: CacheHint,
): CachePolicy {
  return restrict(policy, { maxAge, isPrivate: scope === 'PRIVATE', isPublic: true })
}

interface FieldPolicies {
  readonly atRoot: CachePolicy
  readonly nested: CachePolicy
  /** The type of its selections; undefined for a leaf. */
  readonly type: CompositeType | undefined
}

interface HintOfType extends DeclaredHint {
  /** The shortest lifetime of the possible types of an interface or a union, which also holds for a field that inherits. */
  readonly leastMaxAge?: number | undefined
}

/** What the fields of a schema say about caching, read when first needed. */
export class DeclaredPolicies {
  readonly #schema: GraphQLSchema
  readonly #fields = new WeakMap<Field, FieldPolicies>()
  readonly #types = new WeakMap<CompositeType, HintOfType>()

  constructor(schema: GraphQLSchema) {
    this.#schema = schema
  }

  of(field: Field, parent: GraphQLObjectType | GraphQLInterfaceType): FieldPolicies {
    return remember(this.#fields, field, () =>
      isAbstract(parent) ? this.#ofInterface(field, parent) : this.#read(field),
    )
  }

  /** Execution resolves the field of the object type, so the hints of all implementations count, and the interface's. */
  #ofInterface(field: Field, parent: GraphQLInterfaceType): FieldPolicies {
    let atRoot = restrictBy(unrestricted, readHint(field, this.#schema) ?? {})
    let nested = atRoot
    for (const type of this.#schema.getPossibleTypes(parent)) {
      const own = type.getFields()[field.name]
      if (own === undefined) continue
      const policies = this.of(own, type)
      atRoot = restrict(atRoot, policies.atRoot)
      nested = restrict(nested, policies.nested)
    }
    return { atRoot, nested, type: compositeOf(field) }
  }

  /** As Apollo Server documents it: the hint of the field, else that of its type, else 0 unless it inherits. */
  #read(field: Field): FieldPolicies {
    const type = compositeOf(field)
    const ofType = type && this.#ofType(type)
    const own = readHint(field, this.#schema)
    const inherits = ofType?.inheritMaxAge === true || own?.inheritMaxAge === true
    const maxAge = own?.maxAge ?? ofType?.maxAge
    const inherited = inherits ? ofType?.leastMaxAge : undefined
    const scope = scopeOf(own, ofType, type !== undefined && isAbstract(type))
    const isPrivate = scope === 'PRIVATE'
    const isPublic = scope === 'PUBLIC'
    const atRoot = { maxAge: maxAge ?? 0, isPrivate, isPublic }
    const depends = maxAge === undefined && (inherits || type === undefined)
    const nested = !depends
      ? atRoot
      : inherited === undefined
        ? restrictBy(unrestricted, { scope })
        : { maxAge: inherited, isPrivate, isPublic }
    return { atRoot, nested, type }
  }

  /**
   * The hint of a type. Objects of an interface or a union may be of a type with a stricter hint, which holds as
   * well. (Apollo Server reads that of the interface or union alone.)
   */
  #ofType(type: CompositeType): HintOfType {
    return remember(this.#types, type, () => {
      const hint = readHint(type, this.#schema) ?? {}
      return isAbstract(type) ? this.#withPossibleTypes(hint, type) : hint
    })
  }

  #withPossibleTypes(hint: DeclaredHint, type: AbstractType): HintOfType {
    const hints = this.#schema.getPossibleTypes(type).map((one) => this.#ofType(one))
    const { maxAge, scope = maxAge === undefined ? 'PUBLIC' : undefined } = hint
    const ages = hints.map((one) => one.maxAge).filter((one) => one !== undefined)
    const isPrivate = [hint, ...hints].some((one) => one.scope === 'PRIVATE')
    const isShared = hints.every((one) => one.maxAge === undefined || one.scope === 'PUBLIC')
    return {
      ...hint,
      maxAge: maxAge === undefined ? undefined : Math.min(maxAge, ...ages),
      leastMaxAge: ages.length === 0 ? undefined : Math.min(...ages),
      scope: isPrivate ? 'PRIVATE' : isShared ? scope : undefined,
    }
  }
}

/**
 * The scope of a field, else that of its type, except that a field with a lifetime of its own is not made PUBLIC by its type: one
 * `PUBLIC` type may be the type of `user(id:)` and of `me`. What is PRIVATE at or behind an interface or a union always counts.
 */
function scopeOf(
  own: DeclaredHint | undefined,
  ofType: DeclaredHint | undefined,
  isOneOfMany: boolean,
): DeclaredHint['scope'] {
  const isPrivate = ofType?.scope === 'PRIVATE'
  if (own?.scope !== undefined) return isOneOfMany && isPrivate ? 'PRIVATE' : own.scope
  return own?.maxAge === undefined || isPrivate ? ofType?.scope : undefined
}

type AbstractType = Exclude<CompositeType, GraphQLObjectType>

function isAbstract(type: CompositeType): type is AbstractType {
  return 'resolveType' in type
}

/** The object, interface or union that a field gives, possibly in lists. */
function compositeOf({ type }: Field): CompositeType | undefined {
  let named = type
  while ('ofType' in named) named = named.ofType
  return 'getFields' in named || 'getTypes' in named ? named : undefined
}
