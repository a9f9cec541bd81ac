import { clsx } from 'clsx'
import { type FormEvent, type Ref, useEffect, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { StudentRecord } from '#shared/students/student.ts'
import { fieldDefinition, type StudentField } from '#shared/students/student-fields.ts'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { FieldErrorText } from '#web/components/field.tsx'
import { FormFailure } from '#web/components/form-failure.tsx'
import { Modal } from '#web/components/modal.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { UnsavedPrompt } from '#web/components/unsaved-prompt.tsx'
import { dateOf } from '#web/lib/relative-time.ts'
import { signInAgainPath } from '#web/lib/session-end.ts'
import { useUnsavedGuard } from '#web/lib/unsaved-guard.ts'
import { type LoadedRecord, orMissing } from './data.ts'
import {
  type EditConflict,
  type EditOptions,
  type EditValues,
  editValuesOf,
  type FieldDifference,
  useEdit,
} from './edit-conflict.tsx'
import { EditFields, editFieldId } from './edit-fields.tsx'

interface EditStudentProps {
  id: string | null
  loaded: LoadedRecord | null
  courses: readonly string[]
  academicYears: readonly string[]
  onFailure: (sentence: string | null) => void
  onSaved: () => void
  onClose: () => void
}

/** Spec §2 "Students tab". */
export function EditStudent({ id, loaded, onClose, ...options }: EditStudentProps) {
  const { record, formKey } = useOpenedRecord(id, loaded)
  // The form renders its buttons into the modal's footer.
  const [foot, setFoot] = useState<HTMLElement | null>(null)
  return (
    <Modal
      open={id !== null}
      onClose={onClose}
      title="Edit Student"
      footer={<div ref={setFoot} className="contents" />}
    >
      {record ? (
        <EditForm key={formKey} record={record} foot={foot} onClose={onClose} {...options} />
      ) : loaded && 'failure' in loaded ? (
        <ErrorBanner message={loaded.failure} />
      ) : (
        <EditSkeleton />
      )}
    </Modal>
  )
}

/**
 * The record as it was when the form was opened: a later version is handled when the form is saved.
 * While the modal fades out, the last record is still shown.
 */
function useOpenedRecord(id: string | null, loaded: LoadedRecord | null) {
  const read = loaded && 'record' in loaded && loaded.record.id === id ? loaded.record : null
  const [opened, setOpened] = useState<{ id: string | null; record: StudentRecord | null; formKey: number }>({
    id,
    record: read,
    formKey: 0,
  })
  if (id === null && opened.id !== null) setOpened({ ...opened, id })
  else if (id !== opened.id) setOpened({ id, record: read, formKey: opened.formKey + 1 })
  else if (id !== null && !opened.record && read) setOpened({ ...opened, record: read })
  return opened
}

function EditSkeleton() {
  return (
    <div role="status" className="grid gap-4 sm:grid-cols-2">
      <span className="sr-only">Loading the student's record</span>
      {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((field) => (
        <div key={field} aria-hidden="true" className="grid gap-2">
          <Skeleton className="h-4 w-28" />
          <Skeleton className="h-11" />
        </div>
      ))}
    </div>
  )
}

interface EditFormProps extends EditOptions {
  foot: HTMLElement | null
  onClose: () => void
}

const formId = 'edit-student'

function EditForm({ foot, onClose, ...options }: EditFormProps) {
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
          stored={editValuesOf(base)}
          courses={courses}
          academicYears={academicYears}
          errors={errors}
          refusals={edit.refusals}
          onChange={edit.change}
        />
      </form>
      {foot && createPortal(<EditButtons isSaving={isSaving} onCancel={onClose} />, foot)}
      <UnsavedPrompt open={guard.isAsking} onDiscard={guard.discard} onKeep={guard.keep} />
    </>
  )
}

function EditButtons({ isSaving, onCancel }: { isSaving: boolean; onCancel: () => void }) {
  return (
    <>
      <Button variant="outline" size="sm" onClick={onCancel}>
        Cancel
      </Button>
      {/* Not disabled: a disabled button would lose the focus after a failed save. */}
      <Button type="submit" form={formId} size="sm" aria-disabled={isSaving}>
        {isSaving ? 'Saving…' : 'Save Changes'}
      </Button>
    </>
  )
}

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
      Your session has ended. Your changes are still here:{' '}
      <a href={signInAgainPath()} target="_blank" rel="noreferrer" className="underline underline-offset-4">
        sign in again in a new tab
      </a>
      , then come back and save.
    </p>
  )
}

interface ConflictChoicesProps {
  conflict: EditConflict
  values: EditValues
  onTake: (field: StudentField, value: string) => void
  ref: Ref<HTMLElement>
}

function ConflictChoices({ conflict, values, onTake, ref }: ConflictChoicesProps) {
  const { differences, undecided, isPressing } = conflict
  return (
    <section
      ref={ref}
      tabIndex={-1}
      aria-label="Conflicting changes"
      className="rounded-box border border-warning bg-warning-soft p-4 outline-hidden"
    >
      <h3 className="font-semibold text-warning">This record was changed while you were editing it.</h3>
      <p className="mt-1 text-sm">
        Your changes were combined. Choose a value where both of you edited the same field, then save again.
      </p>
      <div className="mt-3 grid gap-3">
        {differences.map((difference) => (
          <Difference
            key={difference.field}
            difference={difference}
            value={values[difference.field]}
            isUndecided={undecided.has(difference.field)}
            isPressing={isPressing}
            onTake={(value) => onTake(difference.field, value)}
          />
        ))}
      </div>
    </section>
  )
}

interface DifferenceProps {
  difference: FieldDifference
  value: string
  isUndecided: boolean
  isPressing: boolean
  onTake: (value: string) => void
}

function Difference({ difference, value, isUndecided, isPressing, onTake }: DifferenceProps) {
  const id = useId()
  const { field, was, theirs, mine } = difference
  const textOf = (text: string) => orMissing(field === 'dateOfBirth' ? dateOf(text) : text)
  const isMissing = isUndecided && isPressing
  const isMineTouched = mine.trim() !== was.trim()
  const sides = [
    { side: 'theirs', label: 'Their change', text: theirs },
    { side: 'mine', label: isMineTouched ? 'Your change' : 'Original value', text: mine },
  ]
  return (
    <fieldset
      aria-describedby={isMissing ? `${id}-error` : undefined}
      className="min-w-0 rounded-box border bg-card p-3 text-sm"
    >
      <legend className="float-left mb-2 w-full font-semibold">
        {fieldDefinition(field).label}{' '}
        <span className="font-normal wrap-anywhere text-muted">was: {textOf(was)}</span>
      </legend>
      <div className="clear-both grid gap-2 sm:grid-cols-2">
        {sides.map(({ side, label, text }) => (
          <label
            key={side}
            className={clsx(
              'flex min-h-11 items-start gap-2.5 rounded-box border border-edge px-3 py-2',
              'has-checked:border-primary has-checked:bg-primary-soft',
            )}
          >
            <input
              type="radio"
              name={`conflict-${field}`}
              value={side}
              checked={!isUndecided && value === text}
              onChange={() => onTake(text)}
              className="mt-0.5 size-4.5 shrink-0 accent-primary"
            />
            <span className="min-w-0">
              <span className="block text-xs font-medium text-muted">{label}</span>
              <span className="block wrap-anywhere whitespace-pre-line">{textOf(text)}</span>
            </span>
          </label>
        ))}
      </div>
      {isMissing && (
        <div className="mt-2">
          <FieldErrorText id={`${id}-error`}>Please choose a value.</FieldErrorText>
        </div>
      )}
    </fieldset>
  )
}
