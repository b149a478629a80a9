export { parseAccept } from './accept.js'
export { createCors } from './cors.js'
export { digestOf } from './digest.js'
export { matchesTag, parseEntityTags } from './entity-tags.js'
export { parseMediaType } from './media-type.js'
export { memo } from './memo.js'
export { contentCoding, fieldLines, fieldValue } from './message.js'
export { chooseType, preferenceFor } from './negotiate.js'
export { toPointer } from './problem.js'
export { problem, problemType, usualProblemBase } from './problem.js'
export { ResponseHeaders } from './response-headers.js'
export { bringsCredentials, forClientOnly } from './storing.js'
export { hasPath, pathOf, queryOf } from './target.js'
export { fillTemplate, parseTemplate } from './template.js'
export { createTemplateTree } from './template-tree.js'
export { parseTraceParent } from './trace-parent.js'
export type { AcceptRange } from './accept.js'
export type { Cors, CorsOptions } from './cors.js'
export type { EntityTag } from './entity-tags.js'
export type { MediaType } from './media-type.js'
export type {
  Handler,
  HeaderList,
  HttpResponse,
  Request,
  RequestHead,
  TextResponse,
} from './message.js'
export type { Preference } from './negotiate.js'
export type { Problem, ProblemError } from './problem.js'
export type { HeaderRecord } from './response-headers.js'
export type { Template } from './template.js'
export type { TemplateMatch, TemplateTree } from './template-tree.js'
export type { TraceParent } from './trace-parent.js'
export type { Outcome } from '../base/outcome.js'
