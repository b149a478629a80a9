import { type NumberRows, maxInt32 } from 'graphwire/base'

/** Limits of uploads. */
export interface UploadNumbers {
  /** Maximum number of files in a request. Default: 10. */
  readonly maxFiles?: number | undefined
  /** Maximum size of a file, in bytes. Default: 10 MiB. */
  readonly maxFileBytes?: number | undefined
  /** Maximum size of all files of a request, in bytes. Default: 50 MiB. */
  readonly maxTotalBytes?: number | undefined
  /** How much of the files that no resolver reads is kept in memory while another resolver waits for a later file, in bytes. Beyond that, such a file fails. Default: 1 MiB. */
  readonly maxHeldBytes?: number | undefined
  /** Maximum number of uploads that are read at once. Default: 100. */
  readonly maxConcurrent?: number | undefined
  /** Time limit for a request with files, in place of `executionTimeout`, in milliseconds. Default: 60,000. */
  readonly timeout?: number | undefined
}

const KiB = 1024
const MiB = 1024 * KiB

/** The numbers of uploads. To add one, add a row. */
export const uploadRows: NumberRows<UploadNumbers> = {
  maxFiles: {
    doc: 'Maximum number of files in a request.',
    default: 10,
    least: 1,
    most: maxInt32,
    refusal: '413',
    why: 'each costs memory and a stream',
  },
  maxFileBytes: {
    doc: 'Maximum size of a file.',
    default: 10 * MiB,
    most: Number.MAX_SAFE_INTEGER,
    unit: 'bytes',
    refusal: 'its stream fails',
    why: 'resolvers store what they read',
  },
  maxTotalBytes: {
    doc: 'Maximum size of all files of a request.',
    default: 50 * MiB,
    most: Number.MAX_SAFE_INTEGER,
    unit: 'bytes',
    refusal: '413; later, the streams fail',
    why: '`maxBodyBytes` applies only to what comes before the files',
  },
  maxHeldBytes: {
    doc: 'How much of the files that no resolver reads is kept in memory while another resolver waits for a later file.',
    note: 'Beyond that, such a file fails.',
    default: MiB,
    most: Number.MAX_SAFE_INTEGER,
    unit: 'bytes',
    refusal: 'its stream fails',
    why: 'files arrive one after the other, and resolvers may want them in another order',
  },
  maxConcurrent: {
    doc: 'Maximum number of uploads that are read at once.',
    default: 100,
    least: 1,
    most: maxInt32,
    refusal: '503, with Retry-After',
    why: 'clients that send slowly must not take all places of `maxInFlight`, and each upload takes memory of about `maxBodyBytes` and `maxHeldBytes`',
  },
  timeout: {
    doc: 'Time limit for a request with files, in place of `executionTimeout`.',
    default: 60_000,
    least: 1,
    most: maxInt32,
    unit: 'ms',
    refusal: '503',
    why: 'the operation runs while the files arrive; `requestTimeout` of a Node server applies as well',
  },
}
