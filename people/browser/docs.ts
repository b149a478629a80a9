import { elementOf } from './page.js'

/*
 * Adapts the viewer of the API description: its colours follow the scheme of the browser, and its fields get names for
 * assistive technology, which most of them lack.
 */

/** Attributes of the viewer in the light scheme, and in the dark one. */
const colours = {
  theme: ['light', 'dark'],
  'bg-color': ['#ffffff', '#14171a'],
  'text-color': ['#1b1f24', '#e8eaed'],
  'primary-color': ['#8a0f5c', '#f58cc8'],
  'nav-bg-color': ['#f4f5f7', '#1d2125'],
  'nav-text-color': ['#1b1f24', '#e8eaed'],
} as const

/** Names of fields that do not belong to a parameter. */
const nameOf: { readonly [element: string]: string } = {
  select: 'Media type or example',
  textarea: 'Body',
}

const named = new WeakSet<ShadowRoot>()
const viewer = elementOf('viewer', HTMLElement)
const dark = matchMedia('(prefers-color-scheme: dark)')
dark.addEventListener('change', setColours)
setColours()

function setColours(): void {
  for (const [name, [inLight, inDark]] of Object.entries(colours)) {
    viewer.setAttribute(name, dark.matches ? inDark : inLight)
  }
}

void customElements.whenDefined(viewer.localName).then(() => {
  nameFields(viewer)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  viewer.shadowRoot?.adoptedStyleSheets.push(sheet)
})

const styles = `
  /* Shifted to the left of the text. */
  #api-info { margin-left: 0 }
  /* A missing key is not an error. */
  #auth .red-text { color: inherit }
  /* The credentials of an operation are wider than a phone. */
  @media (max-width: 48rem) {
    div:has(> [style*='min-width:350px']) { position: static !important }
    [style*='min-width:350px'] { flex-wrap: wrap; justify-content: flex-start !important; min-width: 0 !important }
  }
`

/** Names the fields of an element, also those that are added later. */
function nameFields(element: Element): void {
  const root = element.shadowRoot
  if (root === null || named.has(root)) return
  named.add(root)
  const nameAll = (): void => {
    for (const list of root.querySelectorAll('.nav-bar')) list.ariaLabel = 'API'
    for (const list of root.querySelectorAll('.nav-scroll')) list.ariaLabel = 'Operations'
    for (const field of root.querySelectorAll('input, select, textarea')) nameField(field)
    for (const one of root.querySelectorAll('*')) {
      if (one.localName === 'api-request') mendSecurity(one)
      nameFields(one)
    }
  }
  new MutationObserver(nameAll).observe(root, { childList: true, subtree: true })
  nameAll()
}

/** An operation whose key is optional has the requirement {}, for which the viewer would say that one is required. */
function mendSecurity(request: Element & { security?: readonly object[] }): void {
  const isOptional = request.security?.some((one) => Object.keys(one).length === 0)
  if (isOptional === true) request.security = []
}

function nameField(field: Element): void {
  if (field.ariaLabel !== null || field.id.startsWith('search-')) return
  const { pname = '' } = (field as HTMLInputElement).dataset
  const placeholder = field.getAttribute('placeholder') ?? ''
  field.ariaLabel = pname || placeholder || (nameOf[field.localName] ?? 'Value')
}
