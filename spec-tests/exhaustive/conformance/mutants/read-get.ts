import type { Has } from './defects.js'
import { BadRequest, checkParameters, type Parameters } from './parameters.js'

/** Reads the parameters from a URL, as URLSearchParams does. An empty one is a missing one. */
export function readGet(query: string, has: Has): Parameters {
  const given = new URLSearchParams(misread(query, has))
  const found: Record<string, unknown> = {}
  for (const name of ['query', 'operationName', 'variables', 'extensions']) {
    const text = given.get(name)
    if (text === null || (text === '' && !keepsEmpty(name, has))) continue
    const isJson = name === 'variables' || name === 'extensions'
    found[name] = isJson ? parse(text, has) : decode(text, has)
  }
  if (has('get-operation-name-null-is-none') && found['operationName'] === 'null') {
    delete found['operationName']
  }
  return checkParameters(found, has)
}

function keepsEmpty(name: string, has: Has): boolean {
  if (name === 'query') return true
  return has(name === 'operationName' ? 'get-empty-name-kept' : 'get-empty-json-refused')
}

function parse(text: string, has: Has): unknown {
  if (has('get-variables-not-parsed')) return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    if (has('get-broken-variables-ignored')) return undefined
    throw new BadRequest(400, 'variables and extensions are JSON.')
  }
}

function misread(query: string, has: Has): string {
  let read = query
  if (has('get-plus-kept')) read = read.replaceAll('+', '%2B')
  if (has('get-names-not-decoded')) read = read.replaceAll(/%71uery|quer%79|q%75ery/gi, 'other')
  if (has('get-semicolon-separates')) read = read.replaceAll(/;|%3b/gi, '&')
  if (has('get-decoded-twice')) read = read.replaceAll('%25', '%')
  return read
}

function decode(text: string, has: Has): string {
  return has('get-in-latin1') ? Buffer.from(text).toString('latin1') : text
}
