/** Links from a page to others, relative to it. */
export function linkFrom(page) {
  const up = '../'.repeat(page.split('/').length - 1)
  return (path) => `${up === '' ? './' : up}${path.replace(/\.md$/, '.html')}`
}
