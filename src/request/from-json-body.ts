import type { GraphQLParams } from '../engine/params.js'
import type { HeaderList, ParsedJson } from '../http/message.js'
import type { Outcome } from '../outcome.js'
import { isPromise } from '../promise.js'
import type { Refusal } from '../refusal.js'
import { checkParams, type ParamsLimits } from './check-params.js'
import { readJsonBody, type BodyRules } from './read-json-body.js'

type Params = Outcome<GraphQLParams, Refusal>

/** The parameters in the body of a POST or QUERY request; a promise only where it has to be decoded. */
export function fromJsonBody(
  body: Uint8Array | ParsedJson,
  headers: HeaderList,
  rules: BodyRules & ParamsLimits,
): Params | Promise<Params> {
  const json = readJsonBody(body, headers, rules)
  return isPromise(json) ? json.then((late) => toParams(late, rules)) : toParams(json, rules)
}

function toParams(json: Outcome<unknown, Refusal>, limits: ParamsLimits): Params {
  return json.ok ? checkParams(json.value, limits) : json
}
