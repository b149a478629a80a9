/**
 * Mends what assistive technology cannot present. GraphiQL makes tabs of list items that contain buttons, but what is
 * inside a tab is not reachable: a list of buttons, one of them the current one, says the same. The entries of the
 * history are all called "Set active": without that they are called by their text.
 */
export function mendRoles(root: HTMLElement): void {
  const mend = (): void => {
    root.querySelector('.graphiql-tabs')?.removeAttribute('role')
    root.querySelector('[role=tabpanel]')?.setAttribute('role', 'group')
    for (const entry of root.querySelectorAll('.graphiql-history-item-label[aria-label]')) {
      entry.removeAttribute('aria-label')
    }
    for (const tab of root.querySelectorAll('.graphiql-tab[aria-selected]')) {
      const isCurrent = tab.getAttribute('aria-selected') === 'true'
      tab.removeAttribute('role')
      tab.removeAttribute('aria-selected')
      tab.querySelector('button')?.setAttribute('aria-current', String(isCurrent))
    }
  }
  const options = { subtree: true, childList: true, attributeFilter: ['aria-selected'] }
  new MutationObserver(mend).observe(root, options)
}
