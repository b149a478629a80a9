import { countImpureReads } from '../../graphql/execute/pure-selection.js'
import type { Events } from '../../graphql/execute/result.js'
import type { Program } from '../../streams/pump.js'
import type { Streams } from '../../streams/streams.js'

/**
 * Lets streams with the same selection and variables share one execution of an event, if that can make no difference:
 * see `pure-selection.ts`. Only the same event object is shared, so the source decides who gets it.
 */
export function withSharedResults(
  program: Program,
  { shareKey: key }: Events,
  streams: Streams,
  dataPrefix = '{"data":',
): Program {
  if (key === undefined) return program
  return {
    ...program,
    play(event) {
      const shared = streams.findResult(event, key)
      if (shared !== undefined) return shared
      const before = countImpureReads()
      const result = program.play(event)
      // Errors have ids of their own, and a promise may have read anything.
      const isPure = typeof result === 'string' && countImpureReads() === before
      if (isPure && result.startsWith(dataPrefix)) streams.keepResult(event, key, result)
      return result
    },
  }
}
