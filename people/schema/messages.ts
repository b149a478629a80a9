import type { Message, Person } from '../store/store.js'
import { refuseFaults } from './bad-input.js'
import { checkMessageText } from './check-text.js'
import type { Context } from './context.js'
import type { FieldResolvers } from './resolver.js'
import { notFound } from './shown-error.js'

/** The fields of Mutation that write messages. */
export const messageMutations: FieldResolvers = {
  async sendMessage(
    _: unknown,
    { to, text }: { to: string; text: string },
    { store, loaders }: Context,
  ): Promise<Message> {
    refuseFaults(checkMessageText(text))
    const sent = await store.messages.send(to, text)
    loaders.forget()
    if (!sent.ok) throw notFound('to', 'to must be the id of a person: nobody has this one.')
    return sent.value
  },
}

/** The fields of Message that are loaded by themselves. */
export const messageFields: FieldResolvers = {
  async to({ to }: Message, _: unknown, { loaders }: Context): Promise<Person> {
    const person = await loaders.person(to)
    // Between the message and its receiver another request may delete the receiver.
    if (person === undefined) throw notFound('to', 'The receiver of the message has been deleted.')
    return person
  },
}
