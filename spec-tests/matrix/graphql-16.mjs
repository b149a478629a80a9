// Lets `graphql` mean graphql 16 for every module of this repository: run node with --import of this file.
import * as nodeModule from 'node:module'

const root = new URL('../../', import.meta.url).href

/** The hook of both ways to register: only modules of this repository are redirected. */
export function resolve(specifier, context, nextResolve) {
  const ours = context.parentURL?.startsWith(root) ?? false
  if (!ours || !/^graphql(?:\/|$)/.test(specifier)) return nextResolve(specifier, context)
  return nextResolve(specifier.replace('graphql', 'graphql-16'), context)
}

// The hooks thread of Node 20 imports this file too, and must not register again.
const isHooksThread = new URL(import.meta.url).hash === '#hooks'
if (!isHooksThread) {
  if (nodeModule.registerHooks) nodeModule.registerHooks({ resolve })
  else nodeModule.register(`${import.meta.url}#hooks`)
}
