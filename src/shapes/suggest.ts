/** Returns ` Did you mean X?` for a message, or an empty string if no candidate is close. */
export function suggest(
  word: string,
  candidates: readonly string[],
  show: (candidate: string) => string = (candidate) => candidate,
): string {
  const nearest = nearestOf(word, candidates)
  return nearest === undefined ? '' : ` Did you mean ${show(nearest)}?`
}

function nearestOf(word: string, candidates: readonly string[]): string | undefined {
  const beginning = candidates.filter((candidate) => candidate.startsWith(word))
  if (beginning.length === 1 && /[a-z]{2}/.test(word)) return beginning[0]
  // Up to a third of the letters may differ; beyond that, suggestions would be unrelated words.
  let best = Math.max(1, Math.floor(word.length / 3)) + 1
  let nearest: string | undefined
  for (const candidate of candidates) {
    const distance = editDistance(word, candidate)
    if (distance < best) {
      best = distance
      nearest = candidate
    }
  }
  return nearest
}

/** Counts insertions, deletions, replacements and swaps of neighboring letters. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1]
      let distance = Math.min(
        cell(last, column) + 1,
        cell(current, column - 1) + 1,
        cell(last, column - 1) + (same ? 0 : 1),
      )
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      if (row > 1 && column > 1 && swapped) {
        distance = Math.min(distance, cell(beforeLast, column - 2) + 1)
      }
      current.push(distance)
    }
    beforeLast = last
    last = current
  }
  return cell(last, to.length)
}

function cell(row: readonly number[], column: number): number {
  return row[column] as number
}
