import { type FormEvent, useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { Button } from '#web/components/button.tsx'
import { FormFailure } from '#web/components/form-failure.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { UnsavedPrompt } from '#web/components/unsaved-prompt.tsx'
import { signInAgainPath } from '#web/lib/session-end.ts'
import { useUnsavedGuard } from '#web/lib/unsaved-guard.ts'
import { ConflictChoices } from './conflict-choices.tsx'
import { editValuesOf } from './edit-conflict.ts'
import { EditFields, editFieldId } from './edit-fields.tsx'
import { type EditOptions, useEdit } from './use-edit.ts'

interface EditFormProps extends EditOptions {
  /** Where the buttons go. */
  foot: HTMLElement | null
  onClose: () => void
}

const formId = 'edit-student'

/** The form of one record. Closing it with changes that aren't saved asks first. */
export function EditForm({ foot, onClose, ...options }: EditFormProps) {
  const { record, courses, academicYears } = options
  const edit = useEdit(options)
  const { values, base, errors, failure, conflict, isSaving } = edit
  const guard = useUnsavedGuard(
    edit.isDirty,
    ({ search }) => new URLSearchParams(search).get('edit') === record.id,
  )
  const panel = useFocusOnProblem(edit)

  async function save(event: FormEvent) {
    if (!(await edit.save(event))) return
    if (edit.isDirty) showToast({ type: 'success', message: 'Student updated successfully' })
    guard.release()
    onClose()
  }

  return (
    <>
      <form
        id={formId}
        noValidate
        aria-busy={isSaving}
        className="grid gap-4"
        onSubmit={(event) => void save(event)}
      >
        <p aria-live="assertive" className="sr-only">
          {errors[0]?.message}
        </p>
        {edit.hasSessionEnded && <SessionEnded />}
        {failure && <FormFailure message={failure} />}
        {conflict && <ConflictChoices ref={panel} conflict={conflict} values={values} onTake={edit.change} />}
        <EditFields
          values={values}
          held={editValuesOf(base)}
          courses={courses}
          academicYears={academicYears}
          errors={errors}
          refusals={edit.refusals}
          onChange={edit.change}
        />
      </form>
      {foot && createPortal(<EditButtons isSaving={isSaving} onCancel={onClose} />, foot)}
      <UnsavedPrompt
        what="in this record"
        open={guard.isAsking}
        onDiscard={guard.discard}
        onKeep={guard.keep}
      />
    </>
  )
}

function EditButtons({ isSaving, onCancel }: { isSaving: boolean; onCancel: () => void }) {
  return (
    <>
      <Button variant="outline" size="sm" onClick={onCancel}>
        Cancel
      </Button>
      {/* Not disabled: after a failed save the keyboard would be nowhere. */}
      <Button type="submit" form={formId} size="sm" aria-disabled={isSaving}>
        {isSaving ? 'Saving…' : 'Save Changes'}
      </Button>
    </>
  )
}

/** After a refused save the focus is on what is to mend: the first wrong field, or what else changed. */
function useFocusOnProblem({ refusals, errors, conflict }: ReturnType<typeof useEdit>) {
  const panel = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: after a refusal, not while somebody mends
  useEffect(() => {
    if (refusals === 0) return
    const first = errors[0]
    if (first) document.getElementById(editFieldId(first.path))?.focus()
    else if (conflict) panel.current?.focus()
  }, [refusals])
  return panel
}

function SessionEnded() {
  return (
    <p role="alert" className="rounded-box bg-warning-soft px-4 py-3 font-medium text-warning">
      Your session has ended. What you typed is still here:{' '}
      <a href={signInAgainPath()} target="_blank" rel="noreferrer" className="underline underline-offset-4">
        sign in again in a new tab
      </a>
      , then come back and save.
    </p>
  )
}
