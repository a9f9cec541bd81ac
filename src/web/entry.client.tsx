import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { isLive, isScriptError, reportScriptError, watchScriptErrors } from './lib/script-errors.ts'

watchScriptErrors()

const { title, body } = document
const { lang } = document.documentElement
const served = [...body.childNodes]

/** React has emptied the page. It comes back as it was served, with what was typed, and stays plain. */
function restoreServed() {
  document.body.replaceChildren(...served)
  document.title = title
  document.documentElement.lang = lang
  document.documentElement.dataset.plain = ''
}

// A transition lets the browser answer taps while the page takes over the server's HTML.
startTransition(() => {
  const root = hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
    {
      onCaughtError(error) {
        reportScriptError(error)
        if (isLive() || !isScriptError(error)) return
        // While the page is taken over, what was served is of more use than a page about the failure. Before it is painted.
        queueMicrotask(() => {
          root.unmount()
          restoreServed()
        })
      },
      onUncaughtError(error) {
        reportScriptError(error)
        if (!isLive()) restoreServed()
      },
    },
  )
})
