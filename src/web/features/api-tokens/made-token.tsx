import { Copy } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { MadeApiToken } from '#shared/api-tokens.ts'
import { Button } from '#web/components/button.tsx'
import { showToast } from '#web/components/toaster.tsx'

interface MadeTokenProps {
  made: MadeApiToken
  onDone: () => void
}

/** A new token, the one time that it can be seen. */
export function MadeToken({ made: { name, token }, onDone }: MadeTokenProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef<HTMLElement>(null)
  useEffect(() => heading.current?.focus(), [])

  async function copy() {
    try {
      await navigator.clipboard.writeText(token)
      showToast({ type: 'success', message: 'The token was copied.' })
    } catch {
      // Not allowed, or an address without https, where browsers have no clipboard: it is marked for the keys.
      if (shown.current) window.getSelection()?.selectAllChildren(shown.current)
      showToast({
        type: 'warning',
        message: 'Your browser did not allow copying. The token is selected: press Ctrl+C.',
      })
    }
  }

  return (
    <div className="grid gap-3 rounded-box border border-primary bg-primary-soft p-4">
      <h3 ref={heading} tabIndex={-1} className="font-semibold outline-hidden wrap-anywhere">
        The token of {name}
      </h3>
      <p className="text-sm">
        Copy it into that program now. It is shown only this once: a token that is lost is revoked, and a new
        one made.
      </p>
      <code ref={shown} className="rounded-box border bg-card px-3 py-2 font-mono text-sm wrap-anywhere">
        {token}
      </code>
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          className="max-md:min-h-11"
          icon={<Copy aria-hidden="true" className="size-4" />}
          onClick={() => void copy()}
        >
          Copy
        </Button>
        <Button variant="outline" size="sm" className="max-md:min-h-11" onClick={onDone}>
          I have kept it
        </Button>
      </div>
    </div>
  )
}
