import type { GraphQLFormattedError } from 'graphql'
import type { Whole } from '../../graphql/execute/result.js'

/** The data as JSON text. */
export function dataOf(result: Whole): string {
  if (result.kind === 'written') return result.body.slice('{"data":'.length, -1)
  return JSON.stringify(result.data)
}

/** MCP, "Structured Content": clients that do not know it read the same as text. */
export function successOf(data: string): string {
  return `{"content":${textOf(data)},"structuredContent":${data}}`
}

/** MCP, "Error Handling": what failed is a result, so that the model sees it. It does not see the document. */
export function failureOf(
  errors: readonly GraphQLFormattedError[],
  data: string | undefined,
): string {
  const shown = errors.map(({ locations: _locations, ...error }) => error)
  const list = JSON.stringify(shown)
  const text = data === undefined ? `{"errors":${list}}` : `{"errors":${list},"data":${data}}`
  return `{"content":${textOf(text)},"isError":true}`
}

function textOf(text: string): string {
  return `[{"type":"text","text":${JSON.stringify(text)}}]`
}
