import { type FormEvent, useEffect, useState } from 'react'
import * as z from 'zod/mini'
import type { FieldError } from '#shared/problem.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import type { StudentRecord } from '#shared/students/student.ts'
import { yearLevelLabel } from '#shared/students/student-choices.ts'
import { createStudentEditSchema, editableFields } from '#shared/students/student-edit.ts'
import type { StudentField } from '#shared/students/student-fields.ts'
import { api, callApi } from '#web/lib/api.ts'
import { ApiProblem, sentenceOf } from '#web/lib/api-problem.ts'
import { useProgramTimeZone } from '#web/lib/date-texts.ts'
import { deferSessionEnd } from '#web/lib/session-end.ts'

export interface EditOptions {
  record: StudentRecord
  courses: readonly string[]
  academicYears: readonly string[]
  onFailure: (sentence: string | null) => void
  onSaved: () => void
}

export interface EditConflict extends EditMerge {
  undecided: ReadonlySet<StudentField>
  isPressing: boolean
}

export function useEdit({ record, courses, academicYears, onFailure, onSaved }: EditOptions) {
  const timeZone = useProgramTimeZone()
  const [base, setBase] = useState(record)
  const [values, setValues] = useState(() => editValuesOf(record))
  const [errors, setErrors] = useState<readonly FieldError[]>([])
  const [failure, setFailure] = useState<string | null>(null)
  const [conflict, setConflict] = useState<EditConflict | null>(null)
  const [hasSessionEnded, setSessionEnded] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const [refusals, setRefusals] = useState(0)
  const isDirty = differingFields(editValuesOf(base), values).length > 0

  useEffect(() => {
    if (!isDirty) return
    return deferSessionEnd({ onEnd: () => setSessionEnded(true), onResume: () => setSessionEnded(false) })
  }, [isDirty])

  function problemsOf(candidate: EditValues): FieldError[] {
    const registered = calendarDateOf(new Date(base.registrationDate), timeZone)
    const schema = createStudentEditSchema({ courses, academicYears, registered, stored: base })
    const { error } = z.safeParse(schema, candidate)
    return (error?.issues ?? []).map(({ path, message }) => ({ path: path.join('.'), message }))
  }

  function refuse(problems: readonly FieldError[]) {
    setErrors(problems)
    setRefusals((count) => count + 1)
  }

  function change(field: StudentField, value: string) {
    const next = { ...values, [field]: value }
    setValues(next)
    decide(field)
    // An error disappears when it is fixed; none appears while the user types.
    if (errors.length > 0) {
      const broken = new Set(problemsOf(next).map(({ path }) => path))
      setErrors(errors.filter(({ path }) => broken.has(path)))
    }
  }

  function decide(field: StudentField) {
    if (!conflict?.undecided.has(field)) return
    setConflict({ ...conflict, undecided: new Set([...conflict.undecided].filter((name) => name !== field)) })
  }

  async function send(from: StudentRecord, mine: EditValues): Promise<boolean> {
    const changes = differingFields(editValuesOf(from), mine)
    if (changes.length === 0) return true
    try {
      await callApi(
        api.students[':id'].$patch({
          param: { id: from.id },
          header: { 'if-match': `"${from.version}"` },
          json: Object.fromEntries(changes.map((field) => [field, mine[field]])),
        }),
      )
      onSaved()
      return true
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.problem.code !== 'conflict') throw error
      return await meetOtherChange(from, mine)
    }
  }

  async function meetOtherChange(from: StudentRecord, mine: EditValues): Promise<boolean> {
    const now = await callApi(api.students[':id'].$get({ param: { id: from.id } }))
    const merge = mergeEdits(editValuesOf(from), editValuesOf(now), mine)
    setBase(now)
    // The other change was outside the form, so there is nothing to compare.
    if (now.version !== from.version && merge.differences.length === 0) return await send(now, merge.values)
    setValues(merge.values)
    setConflict({ ...merge, undecided: new Set(merge.contested), isPressing: false })
    setRefusals((count) => count + 1)
    return false
  }

  function explain(error: unknown) {
    setFailure(`Failed to update student: ${sentenceOf(error)}`)
    onFailure(`Failed to update student: ${sentenceOf(error)}`)
    refuse(error instanceof ApiProblem ? (error.problem.errors ?? []) : [])
  }

  return {
    values,
    base,
    errors,
    failure,
    conflict,
    hasSessionEnded,
    isSaving,
    isDirty,
    refusals,
    change,
    decide,

    async save(event: FormEvent): Promise<boolean> {
      event.preventDefault()
      if (isSaving) return false
      setFailure(null)
      onFailure(null)
      const problems = problemsOf(values)
      const isUndecided = conflict !== null && conflict.undecided.size > 0
      if (conflict) setConflict({ ...conflict, isPressing: isUndecided })
      if (problems.length > 0 || isUndecided) {
        refuse(problems)
        return false
      }
      setErrors([])
      setSaving(true)
      try {
        const isDone = await send(base, values)
        setSessionEnded(false)
        return isDone
      } catch (error) {
        explain(error)
        return false
      } finally {
        setSaving(false)
      }
    },
  }
}

export type EditValues = Record<StudentField, string>

export interface FieldDifference {
  field: StudentField
  was: string
  theirs: string
  mine: string
}

interface EditMerge {
  /** A field that only one side changed takes that side's value; otherwise the form's value. */
  values: EditValues
  differences: FieldDifference[]
  contested: StudentField[]
}

export function editValuesOf(record: Pick<StudentRecord, StudentField>): EditValues {
  const entries = editableFields.map((field) => [
    field,
    field === 'yearLevel' ? yearLevelLabel(record.yearLevel) : record[field],
  ])
  // The entries have exactly these names.
  return Object.fromEntries(entries) as EditValues
}

/** In form order. Surrounding spaces are ignored. */
export function differingFields(a: EditValues, b: EditValues): StudentField[] {
  return editableFields.filter((field) => a[field].trim() !== b[field].trim())
}

/** Three-way merge: `base` as the form was opened, `theirs` as stored now, `mine` as typed. */
export function mergeEdits(base: EditValues, theirs: EditValues, mine: EditValues): EditMerge {
  const typed = new Set(differingFields(base, mine))
  const changed = differingFields(base, theirs)
  const differences = changed
    .filter((field) => theirs[field].trim() !== mine[field].trim())
    .map((field) => ({ field, was: base[field], theirs: theirs[field], mine: mine[field] }))
  const values = { ...mine }
  for (const field of changed) if (!typed.has(field)) values[field] = theirs[field]
  const contested = differences.map(({ field }) => field).filter((field) => typed.has(field))
  return { values, differences, contested }
}
