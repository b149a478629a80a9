/** A text of at most so many characters and three dots; a character of two units is not cut in half. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const isHalf = (text.charCodeAt(maxLength - 1) & 0xfc00) === 0xd800
  return `${text.slice(0, isHalf ? maxLength - 1 : maxLength)}...`
}
