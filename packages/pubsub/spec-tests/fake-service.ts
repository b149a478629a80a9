import type { Receiver, Transport } from '@graphwire/pubsub'

/** A service in memory, which writes down what it is asked and delivers in the same tick. */
export class FakeService {
  readonly commands: string[] = []
  readonly #listeners = new Map<Receiver, Set<string>>()
  /** What `listen` and `unlisten` reject with. */
  failure: Error | undefined

  readonly #start: 'here' | 'connecting'

  constructor(start: 'here' | 'connecting' = 'here') {
    this.#start = start
  }

  readonly transport: Transport = (receiver) => {
    const names = new Set<string>()
    this.#listeners.set(receiver, names)
    if (this.#start === 'here') receiver.regained()
    return {
      publish: async (name, text) => {
        if (this.failure !== undefined) throw this.failure
        this.send(name, text)
      },
      listen: async (name) => {
        this.commands.push(`listen ${name}`)
        if (this.failure !== undefined) throw this.failure
        names.add(name)
      },
      unlisten: async (name) => {
        this.commands.push(`unlisten ${name}`)
        if (this.failure !== undefined) throw this.failure
        names.delete(name)
      },
      close: () => {
        this.commands.push('close')
        this.#listeners.delete(receiver)
      },
    }
  }

  send(name: string, text: string): void {
    for (const [receiver, names] of this.#listeners) {
      if (names.has(name)) receiver.text(name, text)
    }
  }

  cut(): void {
    this.failure = new Error('cut')
    for (const receiver of this.#listeners.keys()) receiver.lost(this.failure)
  }

  mend(): void {
    this.failure = undefined
    for (const receiver of this.#listeners.keys()) receiver.regained()
  }
}
