import { fieldLines, type HeaderList } from './message.js'
import { uniteVary } from './vary.js'

/**
 * Replaces fields of `base` by those of `over`, with two exceptions: cookies of both are kept, and `Vary`
 * is merged, since both affected the response.
 */
export function overlayHeaders(base: HeaderList, over: HeaderList): HeaderList {
  const replaced = new Set<string>()
  for (const [name] of fieldLines(over)) replaced.add(name.toLowerCase())
  const merged: string[] = []
  const vary: string[] = []
  for (const [name, value] of fieldLines(base)) {
    const key = name.toLowerCase()
    if (key === 'vary') vary.push(value)
    else if (key === 'set-cookie' || !replaced.has(key)) merged.push(name, value)
  }
  for (const [name, value] of fieldLines(over)) {
    if (name.toLowerCase() === 'vary') vary.push(value)
    else merged.push(name, value)
  }
  if (vary.length > 0) merged.push('Vary', uniteVary(vary))
  return merged
}
