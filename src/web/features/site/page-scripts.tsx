import { isValidElement, type ReactElement, type ReactNode } from 'react'
import { Scripts } from 'react-router'

interface ElementProps {
  rel?: string
  href?: string
  type?: string
  nonce?: string
  children?: ReactNode
  dangerouslySetInnerHTML?: { __html: string }
}

/**
 * Loads React Router's scripts after the first paint: otherwise they compete with the page for a
 * slow line. The page's HTML works without them.
 */
export function PageScripts() {
  // Called as the function it is, so that its elements can be changed; its hooks become this component's.
  const elements = flatten(Scripts({}))
  const preloads = elements.filter(({ props }) => props.rel === 'modulepreload')
  return elements
    .filter((element) => !preloads.includes(element))
    .flatMap((element) => (isModule(element) ? afterFirstPaint(element, preloads) : [element]))
}

function flatten(node: ReactNode): ReactElement<ElementProps>[] {
  if (Array.isArray(node)) return node.flatMap(flatten)
  if (!isValidElement<ElementProps>(node)) return []
  return node.props.children === undefined ? [node] : flatten(node.props.children)
}

function isModule({ type, props }: ReactElement<ElementProps>): boolean {
  return type === 'script' && props.type === 'module'
}

// The first module waits as text. A cached page's policy allows it by its hash.
const moduleId = 'first-module'

function afterFirstPaint(
  { props }: ReactElement<ElementProps>,
  preloads: readonly ReactElement<ElementProps>[],
): ReactElement[] {
  const module = props.dangerouslySetInnerHTML?.__html ?? ''
  // The browser has run it by then: its scripts needn't carry it once more.
  const start = import.meta.env.SSR ? starter(preloads.flatMap((link) => link.props.href ?? [])) : ''
  return [
    <script
      key="module"
      id={moduleId}
      type="text/plain"
      nonce={props.nonce}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: React Router's own text
      dangerouslySetInnerHTML={{ __html: module }}
    />,
    <script
      key="start"
      nonce={props.nonce}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: our own text
      dangerouslySetInnerHTML={{ __html: start }}
    />,
  ]
}

// Shows on a slow line that a link or a form was pressed, before scripts run and for document
// loads.
const leaving = `const { dataset } = document.documentElement
const arrive = () => { delete dataset.leaving }
const leave = () => {
  dataset.leaving = ''
  // Without an answer for so long the browser has given up, or its stop button was pressed.
  setTimeout(arrive, 3e4)
}
addEventListener('click', (event) => {
  const link = event.target.closest('a[href]')
  const isElsewhere = event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey
  if (!link || isElsewhere || event.defaultPrevented || link.target || link.download) return
  if (link.origin === location.origin && link.pathname !== location.pathname) leave()
})
addEventListener('submit', (event) => event.defaultPrevented || leave())
addEventListener('pageshow', arrive)`

/**
 * Adds the module after a frame was painted: the second frame's callback proves the first. @param
 * files its imports, preloaded in parallel
 */
export function starter(files: readonly string[]): string {
  return `{
${leaving}
const { nonce } = document.currentScript
const add = (tag, attributes) => document.head.append(Object.assign(document.createElement(tag), { nonce }, attributes))
requestAnimationFrame(() => requestAnimationFrame(() => {
  for (const href of ${literal(files)}) add('link', { rel: 'modulepreload', href })
  add('script', { type: 'module', textContent: document.getElementById('${moduleId}').textContent })
}))
}`
}

/** A JavaScript literal. Security: an end tag inside would close the script element. */
function literal(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
