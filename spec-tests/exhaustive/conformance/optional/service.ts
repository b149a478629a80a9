import type { Has } from './defects.js'

/** What the proposal of service capabilities adds to introspection; no graphql-js has it yet. */
export function answerService(text: string, has: Has): object | undefined {
  if (text.includes('"__Service"')) return { __type: { name: '__Service' } }
  if (!text.includes('__service')) return undefined
  const [first] = has('service-names')
    ? ['single']
    : has('service-underscore')
      ? ['_reserved.name']
      : ['graphql.operationDescriptions']
  const capabilities = [
    { name: first, value: has('service-values') ? 1 : null },
    { name: 'example.transport.sse', value: '/stream' },
  ]
  return { __service: { capabilities: has('service-list') ? capabilities[0] : capabilities } }
}
