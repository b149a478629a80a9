import { toFetch } from 'graphwire/fetch'
import { handler } from '../../../api.mjs'

const fetch = toFetch(handler)

// For every method that Next has, so that each gets a response of GraphQL over HTTP.
export {
  fetch as DELETE,
  fetch as GET,
  fetch as HEAD,
  fetch as OPTIONS,
  fetch as PATCH,
  fetch as POST,
  fetch as PUT,
}
