import { useEffect, useRef } from 'react'
import { keepsDraft } from './draft-key.ts'
import type { EnlistmentFormProps } from './enlistment-form.tsx'
import { takeOver } from './take-over.tsx'

// One object for good: with a new one React would write it, and wipe out the server's HTML.
const asServed = { __html: '' }

/**
 * The form as the server sent it. The page's own scripts leave it alone (its many fields would double them);
 * the form's scripts come with the first touch.
 */
export function ServedForm(props: EnlistmentFormProps) {
  const container = useRef<HTMLDivElement>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: taken over once, with what the page came with
  useEffect(() => {
    if (!container.current) return
    const startNow = props.refused !== undefined || keepsDraft()
    return takeOver(container.current, props, startNow)
  }, [])

  // biome-ignore lint/security/noDangerouslySetInnerHtml: nothing is set, React is told to leave the HTML alone
  return <div ref={container} suppressHydrationWarning dangerouslySetInnerHTML={asServed} />
}
