import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'
import { failure, success, type Outcome } from 'graphwire'
import { faultOfText } from './plain-text.js'

/** Derives the bytes to store for a password. */
export type Derive = (password: string, salt: Buffer, cost: ScryptOptions) => Promise<Buffer>

/** Hashes and checks passwords; 'full' if too many requests wait for it. */
export interface Passwords {
  hash(password: string): Promise<Outcome<string, 'full'>>
  /** Without a stored hash, takes the same time and returns false. */
  check(password: string, stored: string | undefined): Promise<Outcome<boolean, 'full'>>
}

/** The allowed lengths of a password. */
export const maxPasswordBytes = 1_024

const logN = 15
const saltBytes = 16
const digestBytes = 32
// Each takes 32 MiB and one of the four threads that files and databases need too.
const limits = { atOnce: 2, waiting: 64 }

/** scrypt takes about 60 ms. The cost is stored with each hash, so that it can be raised later. */
export function createPasswords(derive: Derive = deriveByScrypt): Passwords {
  const queue = createQueue(limits)
  const absent: Stored = { logN, r: 8, p: 1, salt: randomBytes(saltBytes), digest: undefined }

  return {
    hash: (password) =>
      queue(async () => {
        const salt = randomBytes(saltBytes)
        const digest = await derive(password.normalize('NFC'), salt, costOf(absent))
        return `$scrypt$ln=${logN},r=8,p=1$${toText(salt)}$${toText(digest)}`
      }),
    check: (password, text) =>
      queue(async () => {
        const stored = text === undefined ? absent : readStored(text)
        const digest = await derive(password.normalize('NFC'), stored.salt, costOf(stored))
        return stored.digest !== undefined && timingSafeEqual(digest, stored.digest)
      }),
  }
}

/** Why a text cannot be a password; undefined if it can. */
export function faultOfPassword(password: string): string | undefined {
  if (password === '') return 'The password must not be empty.'
  if (Buffer.byteLength(password) > maxPasswordBytes) {
    return `The password must be at most ${maxPasswordBytes} bytes long.`
  }
  // To scrypt, NUL at the end of a password makes no difference.
  return faultOfText('password', password)
}

interface Stored {
  readonly logN: number
  readonly r: number
  readonly p: number
  readonly salt: Buffer
  readonly digest: Buffer | undefined
}

function readStored(text: string): Stored {
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

/** scrypt takes 128 * N * r bytes and a little more, which is just above Node's own bound. */
function costOf({ logN: log, r, p }: Stored): ScryptOptions {
  const N = 2 ** log
  return { N, r, p, maxmem: 256 * N * r }
}

function toText(bytes: Buffer): string {
  return bytes.toString('base64url')
}

const deriveByScrypt: Derive = (password, salt, cost) =>
  new Promise((resolve, reject) => {
    scrypt(password, salt, digestBytes, cost, (fault, digest) => {
      if (fault === null) resolve(digest)
      else reject(fault)
    })
  })

/** Runs some work concurrently; fails if too much of it is already waiting. */
export type Queue = <Value>(work: () => Promise<Value>) => Promise<Outcome<Value, 'full'>>

export interface QueueLimits {
  readonly atOnce: number
  readonly waiting: number
}

/** First come, first served. */
export function createQueue({ atOnce, waiting }: QueueLimits): Queue {
  const turns: (() => void)[] = []
  let running = 0

  return async (work) => {
    if (running < atOnce) running += 1
    else if (turns.length >= waiting) return failure('full')
    else await new Promise<void>((resolve) => turns.push(resolve))
    try {
      return success(await work())
    } finally {
      // The turn is passed on directly, so that a newcomer cannot jump the queue.
      const next = turns.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
