type Listened = Parameters<AbortSignal['addEventListener']>
type AbortListener = NonNullable<Listened[1]>
type ListenerOptions = Listened[2]

/**
 * Makes it cheap to add and remove listeners of a signal: Node goes through all of them each time, so that the resolvers of one
 * request could take seconds, and warns of a leak from the eleventh on. Behind all of them is one listener of the runtime.
 */
export function withCheapListeners(signal: AbortSignal): AbortSignal {
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  let listeners: Set<AbortListener> | undefined
  // It fires once, so that the option `once` changes nothing, and what is added then is not called.
  const fire = (event: Event): void => {
    for (const listener of listeners ?? []) call(signal, listener, event)
  }
  const own = {
    addEventListener(
      type: string,
      listener: AbortListener | null | undefined,
      options?: ListenerOptions,
    ) {
      if (type !== 'abort' || !isListener(listener) || !isUsual(options)) {
        return add(type, listener as AbortListener, options)
      }
      if (signal.aborted) return
      if (listeners === undefined) {
        listeners = new Set()
        add('abort', fire)
      }
      listeners.add(listener)
    },
    removeEventListener(
      type: string,
      listener: AbortListener | null | undefined,
      options?: ListenerOptions,
    ) {
      const isOwn = type === 'abort' && isUsual(options) && isListener(listener)
      if (isOwn && listeners?.delete(listener) === true) return
      remove(type, listener as AbortListener, options)
    },
  }
  for (const [name, value] of Object.entries(own)) {
    // Not enumerable, so that a signal can still be cloned.
    Object.defineProperty(signal, name, { value, configurable: true, writable: true })
  }
  return signal
}

/** The runtime ignores what is absent, and refuses the rest. */
function isListener(listener: unknown): listener is AbortListener {
  return typeof listener === 'function' || (typeof listener === 'object' && listener !== null)
}

function isUsual(options: ListenerOptions): boolean {
  if (typeof options !== 'object' || options === null) return options !== true
  return options.signal === undefined && options.capture !== true
}

/** What a listener throws is uncaught, as that of others is, and the next one is called. */
function call(signal: AbortSignal, listener: AbortListener, event: Event): void {
  try {
    if (typeof listener === 'function') listener.call(signal, event)
    else listener.handleEvent(event)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
