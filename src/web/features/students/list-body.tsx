import { Users } from 'lucide-react'
import { useNavigation } from 'react-router'
import { EmptyState } from '#web/components/empty-state.tsx'
import { StudentList, type StudentListProps } from './student-list.tsx'
import { listKey } from './student-query.ts'
import { StudentsCardsSkeleton } from './students-cards.tsx'
import type { StudentsData } from './students-data.ts'
import { StudentsTableSkeleton } from './students-table.tsx'

interface ListBodyProps extends Omit<StudentListProps, 'page' | 'query' | 'busy'> {
  /** What was read last; null while the first of it is being read. */
  data: StudentsData | null
  /** Whether the last reading failed, which stands above the list. */
  failed: boolean
}

/** A list of students in each of its states: on its way, not loaded, shown. */
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
