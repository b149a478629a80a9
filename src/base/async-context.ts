/** Present on Node and what is compatible; looked up once, since the lookup costs more than the use. */
const hooks = globalThis.process?.getBuiltinModule?.('node:async_hooks')

/** Binds a callback to the current async context. `AsyncResource.bind` takes half as long as a small request. */
export function inThisContext<Args extends unknown[], Result>(
  callback: (...args: Args) => Result,
): (...args: Args) => Result {
  if (hooks === undefined) return callback
  const context = new hooks.AsyncResource('graphwire')
  return (...args) => context.runInAsyncScope(callback, undefined, ...args)
}
