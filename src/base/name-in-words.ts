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
