import { failure, success, type Outcome, type ParsedJson } from 'graphwire'
import { faultOfPassword } from './passwords.js'
import { faultOfText } from './plain-text.js'

/** The members of the body of POST /login. */
export interface Credentials {
  readonly login: string
  readonly password: string
}

/** Why the body of a login is invalid. */
export type BodyFault =
  | { readonly kind: 'body-too-large' }
  | { readonly kind: 'invalid-utf-8' }
  | { readonly kind: 'invalid-json' }
  | { readonly kind: 'invalid-values'; readonly errors: readonly FieldFault[] }

/** What is wrong with one member, and a JSON pointer to it. */
interface FieldFault {
  readonly detail: string
  readonly pointer: string
}

export const maxBodyBytes = 16_384
const maxLoginLength = 128

/** Reads the body of POST /login; reports all invalid members at once. */
export function readLoginBody(body: Uint8Array | ParsedJson): Outcome<Credentials, BodyFault> {
  if ('json' in body) return checkCredentials(body.json)
  if (body.byteLength > maxBodyBytes) return failure({ kind: 'body-too-large' })
  const text = decode(body)
  if (text === undefined) return failure({ kind: 'invalid-utf-8' })
  try {
    return checkCredentials(JSON.parse(text))
  } catch {
    return failure({ kind: 'invalid-json' })
  }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function checkCredentials(json: unknown): Outcome<Credentials, BodyFault> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return invalidBody('The body must be a JSON object with the members login and password.')
  }
  const { login, password, ...others } = json as { login?: unknown; password?: unknown }
  if (Object.keys(others).length > 0) {
    return invalidBody('The body must have the members login and password, and no others.')
  }
  const faults = [
    { detail: faultOf('login', login, faultOfLogin), pointer: '#/login' },
    { detail: faultOf('password', password, faultOfPassword), pointer: '#/password' },
  ]
  const errors = faults.flatMap(({ detail, pointer }) =>
    detail === undefined ? [] : [{ detail, pointer }],
  )
  return errors.length === 0
    ? success({ login: login as string, password: password as string })
    : failure({ kind: 'invalid-values', errors })
}

function invalidBody(detail: string): Outcome<never, BodyFault> {
  return failure({ kind: 'invalid-values', errors: [{ detail, pointer: '#' }] })
}

function faultOf(
  name: string,
  value: unknown,
  check: (text: string) => string | undefined,
): string | undefined {
  if (value === undefined) return `The ${name} is missing.`
  return typeof value === 'string' ? check(value) : `The ${name} must be a string.`
}

function faultOfLogin(login: string): string | undefined {
  return login === '' || login.length > maxLoginLength
    ? `The login must have 1 to ${maxLoginLength} characters.`
    : faultOfText('login', login)
}
