import { Copy } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { copyText } from '#web/lib/older-browsers.ts'
import { Button, SmallButton } from './button.tsx'
import { showToast } from './toaster.tsx'

interface ShownOnceProps {
  title: string
  hint: string
  // 'Token'
  what: string
  secret: string
  onDone: () => void
}

/** Security: what the server gives out only once. */
export function ShownOnce({ title, hint, what, secret, onDone }: ShownOnceProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const code = useRef<HTMLElement>(null)
  const [isAsked, setAsked] = useState(false)
  // Race: a dialog takes a focus that was lost with the pressed button, in the next frame.
  useLayoutEffect(() => heading.current?.focus(), [])

  async function copy() {
    if (await copyText(secret)) {
      showToast('success', `${what} copied.`)
      return
    }
    // The text is selected, so that Ctrl+C copies it.
    if (code.current) window.getSelection()?.selectAllChildren(code.current)
    showToast(
      'warning',
      `Your browser did not allow copying. The ${what.toLowerCase()} is selected: press Ctrl+C.`,
    )
  }

  return (
    <div className="grid gap-3 rounded-box border border-primary bg-primary-soft p-4">
      <h3 ref={heading} tabIndex={-1} className="font-semibold outline-hidden wrap-anywhere">
        {title}
      </h3>
      <p className="text-sm">{hint}</p>
      <code ref={code} className="rounded-box border bg-card px-3 py-2 font-mono text-sm wrap-anywhere">
        {secret}
      </code>
      <div className="flex flex-wrap gap-2">
        <SmallButton icon={Copy} onClick={() => void copy()}>
          Copy
        </SmallButton>
        {!isAsked && (
          <Button size="sm" onClick={() => setAsked(true)}>
            I’ve saved it
          </Button>
        )}
      </div>
      {isAsked && (
        <div className="flex flex-wrap items-center gap-2 text-sm">
          <p className="w-full">Is it written down or stored? It cannot be shown again.</p>
          <SmallButton autoFocus onClick={() => setAsked(false)}>
            Keep showing it
          </SmallButton>
          <Button size="sm" onClick={onDone}>
            Hide permanently
          </Button>
        </div>
      )}
    </div>
  )
}
