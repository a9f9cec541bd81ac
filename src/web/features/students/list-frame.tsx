import { Users } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation, useNavigation } from 'react-router'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { listKey, type StudentsData } from './data.ts'
import { isTitleFirst, listTitleId, type RecordActions } from './record-actions.tsx'
import { StudentList, type StudentListProps } from './student-list.tsx'
import { StudentsCardsSkeleton, StudentsTableSkeleton } from './students-table.tsx'

interface ListBodyProps extends Omit<StudentListProps, 'page' | 'query' | 'busy'> {
  data: StudentsData | null
  failed: boolean
}

export function ListBody({ data, failed, ...list }: ListBodyProps) {
  const isReading = useNavigation().state !== 'idle'
  const { place, layout, navigation } = list
  if (data) {
    const { query } = data.address
    return (
      <StudentList
        page={data.list}
        query={query}
        busy={isReading && listKey(query, place) !== listKey(navigation.address.query, place)}
        {...list}
      />
    )
  }
  if (failed) return <EmptyState icon={<Users className="size-8" />} title="The list could not be loaded." />
  return (
    <>
      <p role="status" className="flex min-h-9 items-center text-sm text-muted">
        Loading...
      </p>
      <StudentsTableSkeleton layout={layout} />
      <StudentsCardsSkeleton />
    </>
  )
}

interface ListHeadProps {
  title: string
  actions: Pick<RecordActions, 'failure' | 'fail'>
  children: ReactNode
}

/** Failures are shown above the list (spec §8). */
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

// The affected row may be far below, so the banner is scrolled into view.
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
