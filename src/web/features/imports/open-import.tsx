import { useEffect, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import type { ImportDetails } from '#shared/imports.ts'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { ProgressBar } from '#web/components/progress-bar.tsx'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { countOf, figureText } from '#web/lib/count-text.ts'
import { useInstantTexts } from '#web/lib/instant-texts.ts'
import type { Act } from './act.ts'
import { CheckStep } from './check-step.tsx'
import { ColumnsStep } from './columns-step.tsx'
import { DoneStep } from './done-step.tsx'
import type { ImportsAddress } from './imports-address.ts'
import type { OpenImportData } from './imports-data.ts'

/** While work is under way the screen asks again by itself: a lost notice must not leave it standing. */
const askEveryMs = 3_000

/** One import at the step where it is. */
export function OpenImport({ data, address }: { data: OpenImportData; address: ImportsAddress }) {
  const { details } = data
  const { revalidate } = useRevalidator()
  const [failure, setFailure] = useState<string | null>(null)
  const texts = useInstantTexts()
  const isWorking = details.progress !== null

  useEffect(() => {
    if (!isWorking) return
    const timer = setInterval(() => void revalidate(), askEveryMs)
    return () => clearInterval(timer)
  }, [isWorking, revalidate])

  const top = useRef<HTMLParagraphElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs at each step, and only then
  useEffect(() => {
    // A step goes away with the button that led on: whoever works by keyboard goes on at the top of the next.
    if (document.activeElement === document.body) top.current?.focus()
  }, [details.state, address.atColumns])

  const act: Act = async (failed, action) => {
    setFailure(null)
    try {
      await action()
      return true
    } catch (error) {
      setFailure(`${failed}: ${sentenceOf(error)}`)
      return false
    } finally {
      await revalidate()
    }
  }

  return (
    <div className="flex flex-col gap-5">
      <p ref={top} tabIndex={-1} className="text-sm text-muted outline-hidden">
        <strong className="font-semibold wrap-anywhere text-fg">{details.fileName}</strong>
        {` · ${countOf(details.rowCount, 'row')} · uploaded ${texts.momentOf(details.createdAt)}`}
      </p>
      {failure && <ErrorBanner message={failure} onDismiss={() => setFailure(null)} />}
      {!failure && details.failure && <ErrorBanner message={details.failure} />}
      <Step data={data} address={address} act={act} />
    </div>
  )
}

const workTexts = {
  checking: 'Checking the rows',
  importing: 'Importing',
  updating: 'Updating the records',
} as const

function Step({ data, address, act }: { data: OpenImportData; address: ImportsAddress; act: Act }) {
  const { details } = data
  const { state, progress } = details
  if (state === 'uploaded' || (address.atColumns && state !== 'importing' && state !== 'imported')) {
    return <ColumnsStep details={details} act={act} />
  }
  switch (state) {
    case 'checking':
    case 'importing':
      return (
        <Working
          label={workTexts[state === 'checking' ? state : details.updateBy ? 'updating' : state]}
          progress={progress}
        />
      )
    case 'checked':
      return <CheckStep data={data} address={address} act={act} />
    case 'imported':
    case 'undone':
      return <DoneStep details={details} act={act} />
  }
}

function Working({ label, progress }: { label: string; progress: ImportDetails['progress'] }) {
  const { done, total } = progress ?? { done: 0, total: 0 }
  return (
    <section aria-labelledby="working-title" className="rounded-box border bg-card p-5 shadow-card">
      <h2 id="working-title" className="sr-only">
        {label}
      </h2>
      <ProgressBar
        label={done === total && total > 0 ? 'Nearly done' : label}
        part={total === 0 ? null : done / total}
        text={`${figureText(done)} of ${countOf(total, 'row')}`}
      />
      <p className="mt-3 text-sm text-muted">You may leave this page: it goes on by itself.</p>
    </section>
  )
}
