import { Copy, Download, Printer } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '#web/components/button.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { saveFile } from '#web/lib/save-download.ts'
import { useSite } from '#web/lib/site.ts'

interface RecoveryCodesProps {
  /** Whose codes they are, for the paper and the file. */
  account: string
  codes: readonly string[]
  onDone: () => void
}

/** The ten recovery codes, the one time that they can be seen. */
export function RecoveryCodes({ account, codes, onDone }: RecoveryCodesProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const owner = `Recovery codes of ${account} for ${useSite().systemName}`
  const text = `${owner}\n\n${codes.join('\n')}\n`
  return (
    <div data-recovery-codes="" className="grid gap-4">
      <h3 ref={heading} tabIndex={-1} className="font-semibold outline-hidden">
        Keep these recovery codes
      </h3>
      <p>
        Each opens one sign-in when your phone is lost or broken. Keep them where you keep other important
        papers, not on the phone. They are shown only now.
      </p>
      <p className="hidden print:block">{owner}</p>
      <ul
        aria-label="Recovery codes"
        className="grid gap-x-6 gap-y-1 rounded-box bg-soft px-4 py-3 font-mono min-[26rem]:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code} className="whitespace-nowrap">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2 print:hidden">
        <Button
          variant="outline"
          icon={<Copy aria-hidden="true" className="size-4" />}
          onClick={() => void copy(text)}
        >
          Copy
        </Button>
        <Button
          variant="outline"
          icon={<Download aria-hidden="true" className="size-4" />}
          onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), 'nstp-recovery-codes.txt')}
        >
          Download
        </Button>
        <Button
          variant="outline"
          icon={<Printer aria-hidden="true" className="size-4" />}
          onClick={() => window.print()}
        >
          Print
        </Button>
      </div>
      <div className="print:hidden">
        <Button onClick={onDone}>I have kept them</Button>
      </div>
    </div>
  )
}

async function copy(text: string) {
  try {
    await navigator.clipboard.writeText(text)
    showToast({ type: 'success', message: 'The recovery codes were copied.' })
  } catch {
    // Not allowed, or an address without https, where browsers have no clipboard.
    showToast({
      type: 'warning',
      message: 'Your browser did not allow copying. Please download or print the codes.',
    })
  }
}
