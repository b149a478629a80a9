import type { IncomingMessage } from 'node:http'
import {
  fieldValue,
  type Handler,
  type HttpResponse,
  type ParsedJson,
  type RequestHead,
} from 'graphwire'
import { parseMediaType } from 'graphwire/http'
import { StoreUnavailable, type LoginStore } from '../store/store.js'
import type { AddressReader } from './client-address.js'
import { loginAnswers } from './login-answers.js'
import { maxBodyBytes, readLoginBody, type Credentials } from './login-body.js'
import type { Throttle } from './login-throttle.js'
import type { Passwords } from './passwords.js'
import type { Tokens } from './tokens.js'

/** The dependencies of the login. */
export interface LoginParts {
  readonly logins: Pick<LoginStore, 'find'>
  readonly passwords: Pick<Passwords, 'check'>
  readonly tokens: Pick<Tokens, 'issue'>
  readonly throttle: Throttle
  readonly readAddress: AddressReader
}

/** POST /login: exchanges a login and its password for a token. */
export function createLogin(parts: LoginParts): Handler<IncomingMessage> {
  return (head) => {
    if (head.method === 'OPTIONS') return loginAnswers.methods()
    if (head.method !== 'POST') return loginAnswers.methodNotAllowed(head.method)
    const refused = checkContent(head)
    if (refused !== undefined) return refused
    return {
      maxBytes: maxBodyBytes,
      proceed: (body) => answer(body, parts.readAddress(head), parts),
    }
  }
}

/** Checks what the head says about the body, before any of it is read. */
function checkContent({ headers }: RequestHead): HttpResponse | undefined {
  const coding = fieldValue(headers, 'content-encoding')?.trim().toLowerCase()
  if (coding !== undefined && coding !== '' && coding !== 'identity') {
    return loginAnswers.unsupportedEncoding()
  }
  const type = parseMediaType(fieldValue(headers, 'content-type') ?? '')
  if (type?.type !== 'application' || type.subtype !== 'json') {
    return loginAnswers.unsupportedMediaType()
  }
  if (type.parameters.some(([name, value]) => name === 'charset' && !/^utf-8$/i.test(value))) {
    return loginAnswers.unsupportedCharset()
  }
  const length = Number(fieldValue(headers, 'content-length') ?? 0)
  return length > maxBodyBytes ? loginAnswers.refuseBody({ kind: 'body-too-large' }) : undefined
}

async function answer(
  body: Uint8Array | ParsedJson,
  address: string,
  parts: LoginParts,
): Promise<HttpResponse> {
  const credentials = readLoginBody(body)
  if (!credentials.ok) return loginAnswers.refuseBody(credentials.reason)
  const throttled = await parts.throttle(credentials.value.login, address)
  if (throttled !== undefined) return loginAnswers.throttled(throttled)
  try {
    return await logIn(credentials.value, parts)
  } catch (fault) {
    if (fault instanceof StoreUnavailable) return loginAnswers.unavailable()
    throw fault
  }
}

/** An unknown login costs what a known one does, and gets the same response as a wrong password. */
async function logIn(
  { login, password }: Credentials,
  { logins, passwords, tokens }: LoginParts,
): Promise<HttpResponse> {
  const record = await logins.find(login)
  const checked = await passwords.check(password, record?.passwordHash)
  if (!checked.ok) return loginAnswers.unavailable()
  if (!checked.value || record === undefined) return loginAnswers.wrong()
  return loginAnswers.token(await tokens.issue({ login, scopes: record.scopes }))
}
