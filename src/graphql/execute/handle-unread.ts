/** Handles the promises in a value that nothing reads: a promise, a list, or an object with promises or lists of them. */
export function handleUnread(value: unknown): void {
  if (value instanceof Promise) handle(value, handleUnread)
  else if (isList(value)) forEachItem(value, handleUnread)
  else if (typeof value === 'object' && value !== null) forEachMember(value, handleUnreadMember)
}

/** Members of members may form a circle, so only lists are followed. */
function handleUnreadMember(member: unknown): void {
  if (member instanceof Promise) handle(member, handleUnread)
  else forEachItem(member, handleUnreadMember)
}

export function isList(value: unknown): value is readonly unknown[] | ReadonlySet<unknown> {
  return Array.isArray(value) || value instanceof Set
}

export function isIterable(value: unknown): value is Iterable<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { readonly [Symbol.iterator]?: unknown })[Symbol.iterator] === 'function'
  )
}

export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return (
    typeof (value as { readonly [Symbol.asyncIterator]?: unknown })[Symbol.asyncIterator] ===
    'function'
  )
}

/** Runs no iterators but those of sets, since they may start work. A value that throws is left to graphql. */
export function forEachItem(value: unknown, visit: (item: unknown) => void): void {
  try {
    if (Array.isArray(value)) for (let at = 0; at < value.length; at += 1) visit(value[at])
    else if (value instanceof Set) for (const item of value) visit(item)
  } catch {
    // A Proxy, for example.
  }
}

/** Reads no getters, since they may start work. */
function forEachMember(value: object, visit: (member: unknown) => void): void {
  try {
    for (const name of Object.keys(value)) {
      visit(Reflect.getOwnPropertyDescriptor(value, name)?.value)
    }
  } catch {
    // A Proxy, for example.
  }
}

/** A `then` of a subclass may start work, such as a query, so it is not called. */
export function handle(
  promise: Promise<unknown>,
  onValue: (value: unknown) => void,
  onFailed: () => void = ignore,
): void {
  try {
    // oxlint-disable-next-line typescript/unbound-method -- it is applied to the promise
    void Reflect.apply(Promise.prototype.then, promise, [onValue, onFailed])
  } catch {
    // An object that only inherits from Promise.
  }
}

/** An iterable of the same items. `seen` gets the promise of each when that is asked for. */
export function watchItems(
  iterable: AsyncIterable<unknown>,
  seen: (next: Promise<IteratorResult<unknown>>) => void,
): AsyncIterable<unknown> {
  return {
    [Symbol.asyncIterator]: () => {
      const iterator = iterable[Symbol.asyncIterator]()
      const next = (): Promise<IteratorResult<unknown>> => {
        const item = iterator.next()
        if (item instanceof Promise) seen(item)
        return item
      }
      const end = iterator.return && ((value?: unknown) => iterator.return?.(value) as never)
      return end === undefined ? { next } : { next, return: end }
    },
  }
}

/** A thenable that gives what `map` makes of the value. A `then` may start work, so it is called only when graphql calls it. */
export function mapThenable(
  value: PromiseLike<unknown>,
  map: (given: unknown) => unknown,
): PromiseLike<unknown> {
  const then = (done: (given: unknown) => unknown, failed: (error: unknown) => unknown): unknown =>
    value.then((given) => {
      let mapped: unknown
      try {
        mapped = map(given)
      } catch (error) {
        return failed(error)
      }
      return done(mapped)
    }, failed)
  // oxlint-disable-next-line unicorn/no-thenable -- that is what it stands for
  return { then } as PromiseLike<unknown>
}

function ignore(): void {
  // The rejection has no reader.
}
