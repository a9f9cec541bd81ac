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
import { holdSessionEnd } from '#web/lib/session-end.ts'

export interface EditOptions {
  /** The record when the form was opened. */
  record: StudentRecord
  /** What the office may choose: on offer now, or held by other records. */
  courses: readonly string[]
  academicYears: readonly string[]
  /** Called with what goes wrong as a whole, and with null when it is over. */
  onFailure: (sentence: string | null) => void
  /** Called when the record was changed. */
  onSaved: () => void
}

/** Another change that came in between, and what of it still waits for a decision. */
export interface EditConflict extends EditMerge {
  undecided: ReadonlySet<StudentField>
  /** A save was refused because of them. */
  isPressing: boolean
}

/** The life of the edit form: checking, saving, failing without loss, and meeting another change. */
export function useEdit({ record, courses, academicYears, onFailure, onSaved }: EditOptions) {
  const timeZone = useProgramTimeZone()
  /** The record that the edit is based on. */
  const [base, setBase] = useState(record)
  const [values, setValues] = useState(() => editValuesOf(record))
  const [errors, setErrors] = useState<readonly FieldError[]>([])
  const [failure, setFailure] = useState<string | null>(null)
  const [conflict, setConflict] = useState<EditConflict | null>(null)
  const [hasSessionEnded, setSessionEnded] = useState(false)
  const [isSaving, setSaving] = useState(false)
  /** Counts the refused tries: after each the focus goes to the first problem. */
  const [refusals, setRefusals] = useState(0)
  const isDirty = differingFields(editValuesOf(base), values).length > 0

  useEffect(() => {
    if (!isDirty) return
    return holdSessionEnd({ onEnd: () => setSessionEnded(true), onResume: () => setSessionEnded(false) })
  }, [isDirty])

  function problemsOf(candidate: EditValues): FieldError[] {
    const registered = calendarDateOf(new Date(base.registrationDate), timeZone)
    const schema = createStudentEditSchema({ courses, academicYears, registered, held: base })
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
    // A sentence goes as soon as its rule is kept; none comes while somebody types.
    if (errors.length > 0) {
      const broken = new Set(problemsOf(next).map(({ path }) => path))
      setErrors(errors.filter(({ path }) => broken.has(path)))
    }
  }

  function decide(field: StudentField) {
    if (!conflict?.undecided.has(field)) return
    setConflict({ ...conflict, undecided: new Set([...conflict.undecided].filter((name) => name !== field)) })
  }

  /** @returns whether the record is as the form says, so that the form can close */
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
    // The other change was of something that isn't in the form: nothing to look at.
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

    /** @returns whether the form can close */
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

/** What stands in the edit form: texts, the year level as its label. */
export type EditValues = Record<StudentField, string>

/** A field that somebody changed: what it was, what the other change made of it, what was typed here. */
export interface FieldDifference {
  field: StudentField
  was: string
  theirs: string
  mine: string
}

/** Two changes of one record, brought together. */
interface EditMerge {
  /** What the form shows then: of a field that only one side changed, that side's value; else what was typed. */
  values: EditValues
  /** The fields that the other change has another value in than the form, in form order. */
  differences: FieldDifference[]
  /** Those of them that both sides changed: a person decides. */
  contested: StudentField[]
}

/** The fields of a record as the edit form has them. */
export function editValuesOf(record: Pick<StudentRecord, StudentField>): EditValues {
  const entries = editableFields.map((field) => [
    field,
    field === 'yearLevel' ? yearLevelLabel(record.yearLevel) : record[field],
  ])
  // The entries have exactly these names.
  return Object.fromEntries(entries) as EditValues
}

/** The fields that two sets of values differ in, in form order. Blanks around a text are no difference. */
export function differingFields(a: EditValues, b: EditValues): StudentField[] {
  return editableFields.filter((field) => a[field].trim() !== b[field].trim())
}

/**
 * Compares what was typed with what the record has become meanwhile.
 *
 * @param base the record as the form saw it
 * @param theirs the record as it is now
 * @param mine what stands in the form
 */
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
