import { bytes, count, milliseconds, type NumbersOf } from 'graphwire/base'

const KiB = 1024
const MiB = 1024 * KiB

/** The numbers of uploads. To add one, add a row. */
export const uploadRows = {
  /** Maximum number of files in a request. Default: 10. */
  maxFiles: count(10, {
    doc: 'Maximum number of files in a request.',
    refusal: '413',
    why: 'each costs memory and a stream',
  }),
  /** Maximum size of a file, in bytes. Default: 10 MiB. */
  maxFileBytes: bytes(10 * MiB, {
    doc: 'Maximum size of a file.',
    refusal: 'its stream fails',
    why: 'resolvers store what they read',
  }),
  /** Maximum size of all files of a request, in bytes. Default: 50 MiB. */
  maxTotalBytes: bytes(50 * MiB, {
    doc: 'Maximum size of all files of a request.',
    refusal: '413; later, the streams fail',
    why: '`maxBodyBytes` applies only to what comes before the files',
  }),
  /** How much of the files that no resolver reads is kept in memory while another resolver waits for a later file, in bytes. Beyond that, such a file fails. Default: 1 MiB. */
  maxHeldBytes: bytes(MiB, {
    doc: 'How much of the files that no resolver reads is kept in memory while another resolver waits for a later file.',
    note: 'Beyond that, such a file fails.',
    refusal: 'its stream fails',
    why: 'files arrive one after the other, and resolvers may want them in another order',
  }),
  /** Maximum number of uploads that are read at once. Default: 100. */
  maxConcurrent: count(100, {
    doc: 'Maximum number of uploads that are read at once.',
    refusal: '503, with Retry-After',
    why: 'clients that send slowly must not take all places of `maxInFlight`, and each upload takes memory of about `maxBodyBytes` and `maxHeldBytes`',
  }),
  /** Time limit for a request with files, in place of `executionTimeout`, in milliseconds. Default: 60,000. */
  timeout: milliseconds(60_000, {
    doc: 'Time limit for a request with files, in place of `executionTimeout`.',
    refusal: '503',
    why: 'the operation runs while the files arrive; `requestTimeout` of a Node server applies as well',
  }),
}

/** Limits of uploads. */
export type UploadNumbers = NumbersOf<typeof uploadRows>
