import { CopyCheck } from 'lucide-react'
import type { StudentListItem } from '#shared/student.ts'
import { Button } from '#web/components/button.tsx'
import { actionButtonId } from './row-actions.tsx'
import { actionAttribute } from './row-attributes.ts'
import { listName } from './student-texts.ts'

/** Marks a student whom another record may show too; leads to the comparison. */
export function DuplicateMark({ student, onOpen }: { student: StudentListItem; onOpen: () => void }) {
  if (!student.isDuplicate) return null
  return (
    <button
      type="button"
      id={actionButtonId('duplicates', student.id)}
      {...{ [actionAttribute]: 'duplicates' }}
      onClick={onOpen}
      // On a phone a finger may miss the badge by ten pixels.
      className="relative inline-flex min-h-6 items-center rounded-full bg-warning-soft px-2.5 py-0.5 text-left text-xs font-semibold text-warning underline-offset-2 hover:underline print:hidden max-md:after:absolute max-md:after:inset-x-0 max-md:after:-inset-y-2.5"
    >
      Possible duplicate<span className="sr-only"> of {listName(student)}</span>
    </button>
  )
}

/** The same over a student's details. */
export function DuplicateNote({ onCompare }: { onCompare: () => void }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-box border border-warning bg-warning-soft px-4 py-3">
      <p className="min-w-0 flex-1 basis-60 text-sm font-medium text-warning">
        Another record may be the same person.
      </p>
      <Button
        variant="outline"
        size="sm"
        icon={<CopyCheck aria-hidden="true" className="size-4" />}
        onClick={onCompare}
      >
        Compare records
      </Button>
    </div>
  )
}
