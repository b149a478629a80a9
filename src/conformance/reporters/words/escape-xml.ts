import { toPrintable } from './printable.js'

/** Text escaped for an element or an attribute of XML. */
export function escapeXml(text: string): string {
  return toPrintable(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
