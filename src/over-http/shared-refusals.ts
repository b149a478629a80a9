import type { HeaderList } from '../http/message.js'
import type { RefusalRows } from './refusal-row.js'
import { refusals, type Refusal } from './refusals.js'

const acceptsJson = (): HeaderList => ['Accept', 'application/json']

/** The refusals for other surfaces, without advice about the methods of the GraphQL endpoint. */
export const sharedRefusals: RefusalRows<Refusal> = {
  ...refusals,
  'uri-too-long': {
    ...refusals['uri-too-long'],
    message: ({ limit, found }) =>
      `The URL has ${found} characters, more than the limit of ${limit}.`,
  },
  'unsupported-media-type': { ...refusals['unsupported-media-type'], headers: acceptsJson },
  'unsupported-charset': { ...refusals['unsupported-charset'], headers: acceptsJson },
  'unsupported-encoding': {
    ...refusals['unsupported-encoding'],
    headers: ({ supported }) => ['Accept-Encoding', [...supported, 'identity'].join(', ')],
  },
}
