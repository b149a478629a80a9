import { bytes, count, milliseconds, type NumbersOf } from 'graphwire/base'

const KiB = 1024
const MiB = 1024 * KiB

/** The numbers of uploads. To add one, add a row. */
export const uploadRows = {
  /** Maximum number of files in a request. Default: 10. */
  // Beyond it: 413. Reason: each costs memory and a stream.
  maxFiles: count(10),
  /** Maximum size of a file, in bytes. Default: 10 MiB. */
  // Beyond it: its stream fails. Reason: resolvers store what they read.
  maxFileBytes: bytes(10 * MiB),
  /** Maximum size of all files of a request, in bytes. Default: 50 MiB. */
  // Beyond it: 413; later, the streams fail. Reason: `maxBodyBytes` applies only to what comes
  // before the files.
  maxTotalBytes: bytes(50 * MiB),
  /** How much of the files that no resolver reads is kept in memory while another resolver waits for a later file, in bytes. Beyond that, such a file fails. Default: 1 MiB. */
  // Beyond it: its stream fails. Reason: files arrive one after the other, and resolvers may want
  // them in another order.
  maxHeldBytes: bytes(MiB),
  /** Maximum number of uploads that are read at once. Default: 100. */
  // Beyond it: 503, with Retry-After. Reason: clients that send slowly must not take all places of
  // `maxInFlight`, and each upload takes memory of about `maxBodyBytes` and `maxHeldBytes`.
  maxConcurrent: count(100),
  /** Time limit for a request with files, in place of `executionTimeout`, in milliseconds. Default: 60,000. */
  // Beyond it: 503. Reason: the operation runs while the files arrive; `requestTimeout` of a Node
  // server applies as well.
  timeout: milliseconds(60_000),
}

/** Limits of uploads. */
export type UploadNumbers = NumbersOf<typeof uploadRows>
