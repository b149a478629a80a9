import { GraphQLError } from 'graphql'
import { openSource, pause, untilCalled } from '../../dist/src/standard/event-source.js'

/** The counter, and those who wait for it to change. */
export class Counter {
  #waiting = new Set()
  value = 0

  increment() {
    this.value++
    for (const resume of this.#waiting) resume()
    return this.value
  }

  async until(value, closing) {
    while (this.value < value && !closing.aborted) {
      await untilCalled(closing, (resume) => {
        this.#waiting.add(resume)
        return () => this.#waiting.delete(resume)
      })
    }
  }
}

/** What each subscription does, as fixtures/standard/behaviour.json says; `open` counts the sources. */
export function subscriptions(counter, open) {
  const source = (next) => openSource(open, next)
  return {
    countdown: {
      subscribe(_, { from, delay }) {
        const ms = inRange('delay', delay ?? 0, 60_000)
        let left = from
        return source(async (closing) => {
          if (left < from && ms > 0) await pause(ms, closing)
          return left < 0 ? undefined : { countdown: left-- }
        })
      },
    },
    counter: {
      subscribe() {
        let next = counter.value
        return source(async (closing) => {
          await counter.until(next, closing)
          return { counter: next++ }
        })
      },
    },
    breaks: {
      subscribe(_, { after }) {
        let at = 0
        return source(async () => {
          if (at < after) return { breaks: at++ }
          throw new GraphQLError('The source of breaks fails.')
        })
      },
    },
    odd: {
      subscribe(_, { count }) {
        let at = 0
        return source(async () => {
          if (at >= count) return undefined
          const value = at++
          return { odd: value % 2 === 0 ? value : new GraphQLError('The number is odd.') }
        })
      },
    },
    refused: {
      subscribe() {
        throw new GraphQLError('The subscription is refused.')
      },
    },
    silent: {
      subscribe: () => source((closing) => untilCalled(closing, () => () => {})),
    },
    flood: {
      subscribe(_, { bytes }) {
        const event = { flood: 'x'.repeat(inRange('bytes', bytes, 1024 * 1024)) }
        return source(async () => event)
      },
    },
  }
}

function inRange(name, value, max) {
  if (value < 0 || value > max) throw new GraphQLError(`${name} must be 0 to ${max}.`)
  return value
}
