import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { reportScriptError, watchScriptErrors } from './lib/script-errors.ts'

watchScriptErrors()

const { documentElement, body, title } = document
const { lang } = documentElement
const served = [...body.childNodes]
const address = window.location.href

/** React has emptied the page. It comes back as it was served, with what was typed, and stays plain. */
function restoreServed() {
  if (window.location.href.split('#', 1)[0] !== address.split('#', 1)[0]) return window.location.reload()
  document.body.replaceChildren(...served)
  document.title = title
  document.documentElement.lang = lang
  delete document.documentElement.dataset.live
  document.documentElement.dataset.plain = ''
}

// A transition lets the browser answer taps while the page takes over the server's HTML.
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
    {
      onCaughtError: reportScriptError,
      onUncaughtError(error) {
        reportScriptError(error)
        restoreServed()
      },
    },
  )
})
