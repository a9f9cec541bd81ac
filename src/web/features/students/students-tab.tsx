import { Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { useNavigation } from 'react-router'
import type { StudentRecord } from '#shared/student.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { useInstantTexts } from '#web/lib/instant-texts.ts'
import { StudentActions } from './student-actions.tsx'
import { StudentDetails } from './student-details.tsx'
import { StudentFilters } from './student-filters.tsx'
import { StudentList } from './student-list.tsx'
import { listKey } from './student-query.ts'
import { StudentsCardsSkeleton } from './students-cards.tsx'
import type { StudentsData } from './students-data.ts'
import { useStudentsNavigation } from './students-navigation.ts'
import { StudentsTableSkeleton } from './students-table.tsx'

interface StudentsTabProps {
  /** What was read last; null while the first of it is being read. */
  data: StudentsData | null
  /** Whether the last reading failed, which stands above the tab. The filters stay: they may be the cause. */
  failed: boolean
  /** The printable sheet of a student, which another feature makes. */
  renderSheet: (student: StudentRecord) => ReactNode
}

/** The students: filters, list and details (spec §2 "Students tab"). All its state is in the address. */
export function StudentsTab({ data, failed, renderSheet }: StudentsTabProps) {
  const navigation = useStudentsNavigation()
  const isReading = useNavigation().state !== 'idle'
  const texts = useInstantTexts()
  const { query, student } = navigation.address

  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-2xl font-bold tracking-tight">Students</h1>
        <StudentActions filters={query} isEmpty={data?.list.total === 0} texts={texts} />
      </div>
      <StudentFilters query={query} onChange={navigation.show} />
      {data ? (
        <StudentList
          page={data.list}
          query={data.address.query}
          busy={isReading && listKey(data.address.query) !== listKey(query)}
          navigation={navigation}
          texts={texts}
        />
      ) : failed ? (
        <EmptyState icon={<Users className="size-8" />} title="The list could not be loaded." />
      ) : (
        <>
          <div className="min-h-9" />
          <StudentsTableSkeleton />
          <StudentsCardsSkeleton />
        </>
      )}
      <StudentDetails
        // Without anything read the modal would hide what went wrong.
        id={failed && !data ? null : student}
        details={data && data.address.student === student ? data.details : null}
        onClose={navigation.close}
        renderSheet={renderSheet}
        texts={texts}
      />
    </div>
  )
}
