import { isRequestError } from '../../../graphql/errors/request-error.js'
import type { EditionName } from '../../../over-http/editions.js'
import { bodyRefusals } from '../../../over-http/body-refusals.js'
import { documentRefusals } from '../../../over-http/document-refusals.js'
import { refusals } from '../../../over-http/refusals.js'
import type { Decision } from './road.js'
import { isResponse, type Walk } from './walk-road.js'

/** The row of a table that chose the status of a response. */
export function decide({ ran, response: { status, body } }: Walk, edition: EditionName): Decision {
  const last = ran.at(-1)
  const stop = last?.stop
  if (last === undefined || stop === undefined) {
    return {
      row: 'refusals.internal',
      file: inOverHttp('refusals'),
      says: `${status}: a function threw, or returned something invalid.`,
    }
  }
  const { success } = last.exchange.encoding
  const table = `editions['${edition}']`
  const file = inOverHttp('editions')
  if (isResponse(stop)) {
    if (last.name === 'options') {
      return {
        row: 'describeMethods',
        file: inOverHttp('response/respond'),
        says: `${status}: OPTIONS lists the methods.`,
      }
    }
    if (typeof body === 'object') {
      return {
        row: 'stream',
        file: 'src/handler/stages/stream-response.ts',
        says: `${status}: a stream is 200 whatever it carries.`,
      }
    }
    if (last.exchange.errors.length === 0) {
      return {
        row: 'resultStatus',
        file: inOverHttp('response/respond'),
        says: `${status}: the result has no errors.`,
      }
    }
    return {
      row: `${table}.partial['${success}']`,
      file,
      says: `${status}: the result has data and errors.`,
    }
  }
  if (isRequestError(stop)) {
    return {
      row: `${table}.requestError['${success}'].${stop.kind}`,
      file,
      says: `${status}: GraphQL refuses the request (${stop.kind}).`,
    }
  }
  const { kind } = stop
  const own = tableOf(kind)
  const [when] = refusals[kind].doc
  return {
    row: `${own.name}['${kind}']`,
    file: inOverHttp(own.file),
    says: `${status}: ${when}`,
  }
}

function inOverHttp(name: string): string {
  return `src/over-http/${name}.ts`
}

/** The table that has the row of a refusal. */
function tableOf(kind: string): { readonly name: string; readonly file: string } {
  if (Object.hasOwn(bodyRefusals, kind)) return { name: 'bodyRefusals', file: 'body-refusals' }
  return Object.hasOwn(documentRefusals, kind)
    ? { name: 'documentRefusals', file: 'document-refusals' }
    : { name: 'refusals', file: 'refusals' }
}
