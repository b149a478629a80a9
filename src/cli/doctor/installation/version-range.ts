/** Major, minor and patch. */
type Version = readonly [major: number, minor: number, patch: number]

/**
 * Whether a version is in a range of npm, such as `^16.0.0 || >=17 <18`; undefined if the range cannot be read, such as
 * a URL or a tag. A prerelease counts as its version.
 */
export function isInVersionRange(version: string, range: string): boolean | undefined {
  const found = readVersion(version)
  if (found === undefined || range.length > maxRangeLength) return undefined
  const alternatives = range
    .replace(/^(?:workspace|npm):/, '')
    .split('||')
    .map(readBounds)
  if (alternatives.includes(undefined)) return undefined
  return alternatives.some((bounds) =>
    bounds?.every(({ from, below }) => isWithin(found, from, below)),
  )
}

const maxRangeLength = 200

/** From a version, and below another. */
interface Bounds {
  readonly from: Version
  readonly below: Version
}

const least: Version = [0, 0, 0]
const most: Version = [Infinity, 0, 0]

function readVersion(text: string): Version | undefined {
  const [, major, minor, patch] = /^[v=]*(\d+)\.(\d+)\.(\d+)(?:[-+].*)?$/.exec(text.trim()) ?? []
  return major === undefined ? undefined : [Number(major), Number(minor), Number(patch)]
}

/** The comparators of an alternative, all of which must hold. */
function readBounds(text: string): readonly Bounds[] | undefined {
  const hyphen = /^\s*(\S+)\s+-\s+(\S+)\s*$/.exec(text)
  const words =
    hyphen === null
      ? text
          .trim()
          .replaceAll(/([<>=~^])\s+/g, '$1')
          .split(/\s+/)
      : [`>=${hyphen[1]}`, `<=${hyphen[2]}`]
  const bounds = words.map(readComparator)
  return bounds.some((one) => one === undefined)
    ? undefined
    : bounds.filter((one) => one !== undefined)
}

function readComparator(word: string): Bounds | undefined {
  const pattern =
    /^(\^|~|>=|<=|>|<|=)?v?(\d+|[xX*])?(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?(?:[-+][\w.+-]*)?$/
  const parts = pattern.exec(word)
  if (parts === null) return undefined
  const [major, minor, patch] = parts.slice(2, 5).map(toNumber)
  if (major === undefined) return { from: least, below: most }
  const from: Version = [major, minor ?? 0, patch ?? 0]
  /** The first version that is not one of those that the word names. */
  const next: Version =
    minor === undefined
      ? [major + 1, 0, 0]
      : patch === undefined
        ? [major, minor + 1, 0]
        : [major, minor, patch + 1]
  switch (parts[1]) {
    case '^':
      return {
        from,
        below: major > 0 || minor === undefined ? [major + 1, 0, 0] : caretOfZero(minor, patch),
      }
    case '~':
      return { from, below: minor === undefined ? [major + 1, 0, 0] : [major, minor + 1, 0] }
    case '>=':
      return { from, below: most }
    case '>':
      return { from: next, below: most }
    case '<=':
      return { from: least, below: next }
    case '<':
      return { from: least, below: from }
    default:
      return { from, below: next }
  }
}

/** Of 0.x, the first number that is not zero may not change. */
function caretOfZero(minor: number, patch: number | undefined): Version {
  return minor > 0 || patch === undefined ? [0, minor + 1, 0] : [0, 0, patch + 1]
}

function toNumber(part: string | undefined): number | undefined {
  return part === undefined || /^[xX*]$/.test(part) ? undefined : Number(part)
}

function isWithin(version: Version, from: Version, below: Version): boolean {
  return compare(version, from) >= 0 && compare(version, below) < 0
}

function compare(one: Version, other: Version): number {
  const [major, minor, patch] = one.map((part, at) => part - (other[at] ?? 0))
  return major || minor || patch || 0
}
