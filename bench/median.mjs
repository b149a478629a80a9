/** The middle of the numbers, or between the two in the middle. */
export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** The one at the lower quartile. */
export function lowerQuartile(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 4)]
}

/** The number that this part of the others, such as 0.99, does not exceed. */
export function quantile(sorted, part) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
}
