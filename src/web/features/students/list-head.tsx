import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { listTitleId } from './row-focus.ts'
import { isTitleFirst } from './title-first.ts'
import type { RecordActions } from './use-record-actions.ts'

interface ListHeadProps {
  title: string
  actions: Pick<RecordActions, 'failure' | 'fail'>
  /** What can be done with the whole list. */
  children: ReactNode
}

/** The title of a list, and over it what went wrong with one of its records (spec §8). */
export function ListHead({ title: text, actions: { failure, fail }, children }: ListHeadProps) {
  const title = useRef<HTMLHeadingElement>(null)
  const isLedHere = isTitleFirst(useLocation().state)
  useEffect(() => {
    if (isLedHere) title.current?.focus()
  }, [isLedHere])
  return (
    <>
      {failure && <Failure key={failure} sentence={failure} onDismiss={() => fail(null)} />}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1
          ref={title}
          id={listTitleId}
          tabIndex={-1}
          className="text-2xl font-bold tracking-tight outline-hidden"
        >
          {text}
        </h1>
        <div className="flex flex-wrap gap-2 print:hidden">{children}</div>
      </div>
    </>
  )
}

/** At the top of the page, and in sight: the row that it is about may be far below. */
function Failure({ sentence, onDismiss }: { sentence: string; onDismiss: () => void }) {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    frame.current?.scrollIntoView({ block: 'center' })
  }, [])
  return (
    <div ref={frame}>
      <ErrorBanner message={sentence} onDismiss={onDismiss} />
    </div>
  )
}
