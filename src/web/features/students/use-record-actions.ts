import { useRef, useState } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { archivePlace } from './list-place.ts'
import { archivedSentence, tellArchived } from './record-changes.ts'
import { nothingSelected } from './selection-bar.tsx'
import { titleFirst } from './title-first.ts'

/** What can be done with records from a list of students. Failures are told over the list (spec §8). */
export interface RecordActions {
  /** What went wrong last; null after it was taken away, and after the next success. */
  failure: string | null
  fail: (sentence: string | null) => void
  /** Counts the changes that were made here. */
  ownChanges: number
  noteChange: () => void
  isBusy: boolean
  /** Each tells whether it succeeded. */
  archive: (id: string) => Promise<boolean>
  unarchive: (id: string) => Promise<boolean>
  remove: (id: string) => Promise<boolean>
  archiveAll: (ids: readonly string[]) => Promise<boolean>
}

/** The acts of spec §4 with their sentences. One at a time: a second press while one is on its way does nothing. */
export function useRecordActions(): RecordActions {
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const [failure, fail] = useState<string | null>(null)
  const [ownChanges, setOwnChanges] = useState(0)
  const [isBusy, setBusy] = useState(false)
  // State changes with the next render, and a second press can come before it.
  const isActing = useRef(false)

  function noteChange() {
    setOwnChanges((count) => count + 1)
    fail(null)
    // The notice of the change comes too, but not while the connection for notices is lost.
    void revalidate()
  }

  async function act(whatFailed: string, work: () => Promise<void>): Promise<boolean> {
    if (isActing.current) return false
    isActing.current = true
    setBusy(true)
    try {
      await work()
      return true
    } catch (error) {
      fail(`${whatFailed}: ${sentenceOf(error)}`)
      // The reason may be that somebody else changed or deleted the record.
      void revalidate()
      return false
    } finally {
      isActing.current = false
      setBusy(false)
    }
  }

  function showArchive(message: string, ids: readonly string[]) {
    fail(null)
    tellArchived(message, ids, () => void revalidate())
    void navigate(archivePlace.path, { state: titleFirst })
  }

  return {
    failure,
    fail,
    ownChanges,
    noteChange,
    isBusy,

    archive: (id) =>
      act('Failed to archive student', async () => {
        await callApi(api.students[':id'].archive.$post({ param: { id } }))
        showArchive('Student archived successfully', [id])
      }),

    unarchive: (id) =>
      act('Failed to unarchive student', async () => {
        await callApi(api.students[':id'].unarchive.$post({ param: { id } }))
        showToast({ type: 'success', message: 'Student unarchived successfully' })
        noteChange()
      }),

    remove: (id) =>
      act('Failed to delete student', async () => {
        await callApi(api.students[':id'].$delete({ param: { id } }))
        showToast({ type: 'success', message: 'Student deleted successfully' })
        noteChange()
      }),

    archiveAll: (selected) =>
      act('Failed to archive selected students', async () => {
        const { count, ids } = await callApi(api.students.archive.$post({ json: { ids: [...selected] } }))
        if (count > 0) return showArchive(archivedSentence(count), ids)
        // Others archived them in the meantime.
        showToast({ type: 'warning', message: nothingSelected })
        noteChange()
      }),
  }
}
