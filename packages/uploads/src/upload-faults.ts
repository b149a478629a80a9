import { cutText } from 'graphwire/base'
import { installedGraphQL, type Refusal } from 'graphwire/surface/parts'

/** Why a body cannot be read further, for the response and for resolvers that already run. */
export interface Fault {
  readonly refusal: Refusal
  /** Default: the response has begun. */
  readonly error?: Error
}

/** Why a file cannot be read, for clients. */
function fileError(code: string, message: string, allowed?: number): Error {
  const extensions = allowed === undefined ? { code } : { code, allowed }
  return new installedGraphQL.GraphQLError(message, { extensions })
}

export function cutOff(): Fault {
  return {
    refusal: { kind: 'upload-malformed', problem: 'it is incomplete' },
    error: fileError('UPLOAD_INCOMPLETE', 'The upload is incomplete or malformed.'),
  }
}

export function tooLarge(of: 'parameters' | 'files', limit: number): Fault {
  const message = `The files are larger than ${limit} bytes in all.`
  return {
    refusal: { kind: 'upload-too-large', of, limit },
    error: fileError('UPLOAD_TOO_LARGE', message, limit),
  }
}

export function tooManyFiles(limit: number): Fault {
  return {
    refusal: { kind: 'too-many-files', limit, found: limit + 1 },
    error: fileError('TOO_MANY_FILES', `The request has more than ${limit} files.`, limit),
  }
}

export function missing(name: string): Error {
  return fileError('FILE_MISSING', `The request has no part ${JSON.stringify(cutText(name, 100))}.`)
}

export function fileTooLarge(limit: number): Error {
  return fileError('FILE_TOO_LARGE', `The file is larger than the limit of ${limit} bytes.`, limit)
}

export function skipped(limit: number): Error {
  const message = `The file was given up: a later one was opened first, and more than ${limit} bytes came before it.`
  return fileError('FILE_SKIPPED', message, limit)
}

export function alreadyRead(): Error {
  return fileError('FILE_READ', 'The file has been read already.')
}

export function closed(): Error {
  return fileError('UPLOAD_CLOSED', 'The response began before the file was read.')
}
