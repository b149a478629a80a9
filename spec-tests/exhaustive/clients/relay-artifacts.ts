import type { ConcreteRequest } from 'relay-runtime'

/** What Relay's compiler makes of an operation: these are written by hand, since it is a program of its own. */
interface Source {
  readonly name: string
  readonly kind?: 'query' | 'subscription'
  readonly text: string
  /** What the operation selects, for the store. */
  readonly selections: readonly object[]
}

/** A field without arguments that the store has not seen. */
export function scalar(name: string): object {
  return { alias: null, args: null, kind: 'ScalarField', name, storageKey: null }
}

/** A field of a single object. */
export function linked(name: string, concreteType: string, selections: readonly object[]): object {
  return {
    alias: null,
    args: null,
    concreteType,
    kind: 'LinkedField',
    name,
    plural: false,
    selections,
    storageKey: null,
  }
}

/** A fragment that comes later, under the label that the document gives it. */
export function deferred(label: string, selections: readonly object[]): object {
  return { if: null, kind: 'Defer', label, selections }
}

export function toArtifact({ name, kind = 'query', text, selections }: Source): ConcreteRequest {
  const operation = { argumentDefinitions: [], kind: 'Operation', name, selections }
  const fragment = {
    argumentDefinitions: [],
    kind: 'Fragment',
    metadata: null,
    name,
    type: kind === 'query' ? 'Query' : 'Subscription',
    abstractKey: null,
    // Components read what is not deferred; tests read all of it.
    selections: selections.map(withoutDefer),
  }
  const params = { cacheID: name, id: null, metadata: {}, name, operationKind: kind, text }
  return { fragment, kind: 'Request', operation, params } as unknown as ConcreteRequest
}

function withoutDefer(selection: object): object {
  const { selections } = selection as { readonly selections?: readonly object[] }
  if (selections === undefined) return selection
  const inner = selections.flatMap((each) =>
    (each as { readonly kind: string }).kind === 'Defer'
      ? ((each as { readonly selections: readonly object[] }).selections as object[])
      : [each],
  )
  return { ...selection, selections: inner.map(withoutDefer) }
}
