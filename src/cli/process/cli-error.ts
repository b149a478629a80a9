import type { Outcome } from '../../index.js'
import { exitCodes } from './exit-codes.js'

/** Why a command fails; the message is for people. */
export interface CliError {
  readonly kind: 'usage' | 'configuration' | 'port-in-use'
  readonly message: string
}

/** The failed outcome. `failure` of the engine would load graphql even for `--help`: 60 ms. */
export function fail(
  kind: CliError['kind'],
  message: string,
): { readonly ok: false; readonly reason: CliError } {
  return { ok: false, reason: { kind, message } }
}

/** The exit code of each kind of error. */
export function exitCodeOf({ kind }: CliError): number {
  switch (kind) {
    case 'usage':
      return exitCodes.usage.code
    case 'configuration':
      return exitCodes.configuration.code
    case 'port-in-use':
      return exitCodes.portInUse.code
  }
}

/** The result of asking a server by its URL; usage is wrong if the URL is invalid, or if no server can be reached there. */
export async function orUnreachable<Value>(
  asking: Promise<Value>,
): Promise<Outcome<Value, CliError>> {
  try {
    return { ok: true, value: await asking }
  } catch (error) {
    if (!(error instanceof TypeError) && (error as Error).name !== 'UnreachableError') throw error
    return fail('usage', (error as Error).message)
  }
}
