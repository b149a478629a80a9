/**
 * Makes the search for the template that a path is one of: requests that are refused have a route in
 * the log and the figures, too, and a path itself would have no bound there.
 */
export function createTemplateFinder(
  templates: readonly string[],
): (path: string) => string | undefined {
  const known = [...new Set(templates)].map((text) => ({ text, segments: text.split('/') }))
  return (path) => {
    const given = path.split('/')
    return known.find(({ segments }) => fits(segments, given))?.text
  }
}

function fits(segments: readonly string[], given: readonly string[]): boolean {
  return (
    segments.length === given.length &&
    segments.every((segment, at) =>
      segment.startsWith('{') ? given[at] !== '' : segment === given[at],
    )
  )
}
