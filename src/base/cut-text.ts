/** Truncates a text to `maxLength` UTF-16 units and adds three dots, without splitting a surrogate pair. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const isHalf = (text.charCodeAt(maxLength - 1) & 0xfc00) === 0xd800
  return `${text.slice(0, isHalf ? maxLength - 1 : maxLength)}...`
}

/** 'listOpenOrders' becomes 'List open orders', and 'GET_URL' becomes 'GET URL'. */
export function nameInWords(name: string): string {
  const words = name
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .split(/[_ ]+/)
    .filter((word) => word !== '')
    .map((word) => (/^\p{Lu}\p{Ll}*$/u.test(word) && word.length > 1 ? word.toLowerCase() : word))
  const text = words.join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
