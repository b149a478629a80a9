import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'
import { promisify } from 'node:util'
import { createTurns } from '../store/turns.js'

const maxPasswordBytes = 1_024

const logN = 15
const saltBytes = 16

/**
 * Hashes and checks passwords. Throws a StoreUnavailable if too many requests wait for it. scrypt takes about 60 ms;
 * the cost is stored with each hash, so that it can be raised later.
 */
export function createPasswords(scryptOnce: Derive = scryptOf) {
  // Each hash takes 32 MiB and one of the four threads that files and databases need too.
  const inTurn = createTurns({ atOnce: 2, patience: 3_000 })
  const absent = { logN, r: 8, p: 1, salt: randomBytes(saltBytes), digest: undefined }
  const derive = (password: string, salt: Buffer, { logN: log, r, p }: Cost) => {
    const N = 2 ** log
    // scrypt takes 128 * N * r bytes and a little more, which is just above Node's own bound.
    const cost = { N, r, p, maxmem: 256 * N * r }
    return inTurn(() => scryptOnce(password.normalize('NFC'), salt, cost))
  }
  return {
    async hash(password: string): Promise<string> {
      const salt = randomBytes(saltBytes)
      const digest = await derive(password, salt, absent)
      return `$scrypt$ln=${logN},r=8,p=1$${salt.toString('base64url')}$${digest.toString('base64url')}`
    },
    /** Without a stored hash, takes the same time and returns false. */
    async check(password: string, text: string | undefined): Promise<boolean> {
      const stored = text === undefined ? absent : readStored(text)
      const digest = await derive(password, stored.salt, stored)
      return stored.digest !== undefined && timingSafeEqual(digest, stored.digest)
    },
  }
}

export type Derive = (password: string, salt: Buffer, cost: ScryptOptions) => Promise<Buffer>

const scryptBytes = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)
const scryptOf: Derive = (password, salt, cost) => scryptBytes(password, salt, 32, cost)

/** Why a text cannot be a password; undefined if it can. */
export function faultOfPassword(password: string): string | undefined {
  if (password === '') return 'The password must not be empty.'
  if (Buffer.byteLength(password) > maxPasswordBytes) {
    return `The password must be at most ${maxPasswordBytes} bytes long.`
  }
  // To scrypt, NUL at the end of a password makes no difference.
  return faultOfText('password', password)
}

/** Why some database, or scrypt, cannot process a text unchanged; undefined if all can. */
export function faultOfText(name: string, text: string): string | undefined {
  if (/\p{Surrogate}/u.test(text)) return `The ${name} must be well-formed Unicode.`
  return text.includes('\0') ? `The ${name} must not contain the character NUL.` : undefined
}

type Cost = Pick<ReturnType<typeof readStored>, 'logN' | 'r' | 'p'>

function readStored(text: string) {
  const match = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d)\$([\w-]+)\$([\w-]{43})$/.exec(text)
  if (match === null) throw new Error('A stored password has an unknown format.')
  const [, ln, r, p, salt = '', digest = ''] = match
  return {
    logN: Number(ln),
    r: Number(r),
    p: Number(p),
    salt: Buffer.from(salt, 'base64url'),
    digest: Buffer.from(digest, 'base64url'),
  }
}
