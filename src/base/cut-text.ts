/** Truncates a text to `maxLength` UTF-16 units and adds three dots, without splitting a surrogate pair. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const isHalf = (text.charCodeAt(maxLength - 1) & 0xfc00) === 0xd800
  return `${text.slice(0, isHalf ? maxLength - 1 : maxLength)}...`
}
