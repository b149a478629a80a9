import type { Route } from './route.js'

/** The error of a route that cannot be served: it says which one and what is wrong. */
export function mistake({ method, path }: Route<never>, what: string): TypeError {
  return new TypeError(`Route ${method} ${path}: ${what}.`)
}
