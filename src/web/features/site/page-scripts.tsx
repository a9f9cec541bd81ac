import { Scripts } from 'react-router'

const id = 'scripts'

/**
 * Loads React Router's scripts after the first paint: otherwise they compete with the page for a slow line. Browsers
 * with scripts read the inside of `<noscript>` as text. The page's HTML works without them.
 */
export function PageScripts({ nonce }: { nonce: string | undefined }) {
  return (
    <>
      <noscript id={id}>
        <Scripts nonce={nonce} />
      </noscript>
      <InlineScript nonce={nonce} text={import.meta.env.SSR ? starter : ''} />
    </>
  )
}

/** For the head: on a slow line a link can be pressed before the end of the page is there. */
export function PressedLinks({ nonce }: { nonce: string | undefined }) {
  return <InlineScript nonce={nonce} text={import.meta.env.SSR ? pressedLinks : ''} />
}

// Browsers have run the text when React sees it: their bundle leaves it out.
function InlineScript({ nonce, text }: { nonce: string | undefined; text: string }) {
  return (
    <script
      nonce={nonce}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: our own text
      dangerouslySetInnerHTML={{ __html: text }}
    />
  )
}

// The page's data comes at once, the modules after a frame was painted: the second frame's callback proves the first.
// A cached page's policy allows the texts by their hashes.
const starter = `{
const { nonce } = document.currentScript
const add = ({ localName, attributes, textContent }) => {
  const element = document.createElement(localName)
  for (const { name, value } of attributes) element.setAttribute(name, value)
  document.head.append(Object.assign(element, { nonce, textContent }))
}
const text = document.getElementById('${id}').textContent
const elements = [...new DOMParser().parseFromString(text, 'text/html').querySelectorAll('link, script')]
const root = document.documentElement
// Until the scripts run (root.tsx): a page that lacks one, or what React Router needs, is one without scripts.
const fail = (error) => {
  if ('live' in root.dataset) return
  root.dataset.plain = ''
  ;(window.failedScripts ||= []).push(error)
}
addEventListener('error', ({ target, filename, error }) => {
  // Not those of extensions.
  const address = target.localName === 'script' ? target.src || location.href : String(filename)
  if (address.startsWith(location.origin)) fail(error)
}, true)
addEventListener('unhandledrejection', ({ reason }) => fail(reason))
const isData = ({ localName, type }) => localName === 'script' && type !== 'module'
if (window.TransformStream && window.TextEncoderStream) {
  elements.filter(isData).forEach(add)
  requestAnimationFrame(() => requestAnimationFrame(() => {
    elements.filter((element) => !isData(element)).forEach(add)
  }))
} else fail()
}`

// Shows on a slow line that a link or a form was pressed, before scripts run and for document loads.
const pressedLinks = `{
const { dataset } = document.documentElement
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
  // The server doesn't know the fragment, which is the form's step; the browser keeps it over the redirect.
  if (link.pathname.startsWith('/language/')) link.hash = location.hash
  if (link.origin === location.origin && link.pathname !== location.pathname) leave()
})
addEventListener('submit', (event) => event.defaultPrevented || leave())
addEventListener('pageshow', arrive)
}`
