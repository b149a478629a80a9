/** Whether requests of a method bring a body that is read; a DELETE's is ignored. */
export function hasBody(method: string): boolean {
  return method !== 'GET' && method !== 'DELETE'
}
