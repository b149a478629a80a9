import type { OperationDefinitionNode } from 'graphql'
import type { ExecutedResponse, OperationRequest } from 'graphwire'
import { findObjects } from './find-objects.js'
import { findTypes } from './find-types.js'

/** An object by its type and id, or all objects of a type. */
export interface Entity {
  readonly typename: string
  readonly id?: string | number | undefined
}

/** The tags of an object: `T` for any object of type T, `T:5` for this one, `T:*` for one without an id. */
export function tagsOf({ typename, id }: Entity): readonly string[] {
  return id === undefined ? [typename] : [`${typename}:${id}`, `${typename}:*`]
}

/** Finds the objects in responses by the field that identifies them. Documents need not select it. */
export class Entities {
  readonly #idField: string
  readonly #types = new WeakMap<OperationDefinitionNode, ReadonlySet<string>>()

  constructor(idField: string) {
    this.#idField = idField
  }

  /** The tags of the response to a query. */
  tags(request: OperationRequest, body: string): readonly string[] {
    const types = this.#typesOf(request)
    const objects = findObjects(request, body, this.#idField)
    const unknown = objects?.withoutId ?? types
    return [...types, ...[...unknown].map((type) => `${type}:*`), ...(objects?.ids ?? [])]
  }

  /** The tags that a mutation invalidates: the objects of its result, or all of their types if those are not known. */
  changed(
    request: OperationRequest,
    { body, errors = [] }: Partial<ExecutedResponse> = {},
  ): readonly string[] {
    const isWhole = typeof body === 'string' && errors.length === 0
    const objects = isWhole ? findObjects(request, body, this.#idField) : undefined
    if (objects === undefined) return [...this.#typesOf(request)]
    const { ids, withoutId } = objects
    const types = new Set([...ids].map((id) => id.slice(0, id.indexOf(':'))))
    return [...ids, ...[...types].map((type) => `${type}:*`), ...withoutId]
  }

  #typesOf(request: OperationRequest): ReadonlySet<string> {
    const { operation } = request
    let types = this.#types.get(operation)
    if (types === undefined) this.#types.set(operation, (types = findTypes(request)))
    return types
  }
}
