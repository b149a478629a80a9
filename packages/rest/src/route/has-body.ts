/** Whether the body of a request is read; that of a DELETE is ignored. */
export function hasBody(method: string): boolean {
  return method !== 'GET' && method !== 'DELETE'
}
