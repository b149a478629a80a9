import type { Route } from './route.js'

/** The error of a misconfigured route: which route it is, and what is wrong. */
export function mistake({ method, path }: Route<never>, what: string): TypeError {
  return new TypeError(`Route ${method} ${path}: ${what}.`)
}
