import { useState } from 'react'
import type { StudentRecord } from '#shared/student.ts'
import { maxSheetStudents, type StudentFilters } from '#shared/students.ts'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { figureText } from '#web/lib/count-text.ts'
import { inListOrder } from './list-order.ts'
import type { SelectedStudents } from './student-list.tsx'
import { filterParams } from './student-query.ts'

const tooMany =
  `At most ${figureText(maxSheetStudents)} students' sheets can be printed in one go. ` +
  'Please select fewer.'

/** Printing the sheets of a selection in one go, in the order of the list. */
export function useSheetPrinting() {
  const [isPreparing, setPreparing] = useState(false)
  /** Those whose sheets are being printed. */
  const [students, setStudents] = useState<readonly StudentRecord[] | null>(null)

  return {
    isPreparing,
    students,
    done: () => setStudents(null),

    async print({ ids, shown }: SelectedStudents, filters: StudentFilters) {
      if (ids.size > maxSheetStudents) {
        showToast({ type: 'warning', message: tooMany })
        return
      }
      setPreparing(true)
      try {
        const readOrder = async () =>
          (await callApi(api.students.ids.$get({ query: filterParams(filters) }))).ids
        const ordered = await inListOrder(ids, shown, readOrder)
        const { items } = await callApi(api.students.sheets.$post({ json: { ids: ordered } }))
        setStudents(items)
      } catch (error) {
        showToast({ type: 'error', message: `Failed to print sheets: ${sentenceOf(error)}` })
      } finally {
        setPreparing(false)
      }
    },
  }
}
