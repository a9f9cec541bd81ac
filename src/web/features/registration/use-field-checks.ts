import { type FocusEvent, type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { type StudentField, studentFieldNames } from '#shared/student-fields.ts'
import { birthDateNames } from './birth-date.ts'
import { bodyOf, valuesOf } from './form-values.ts'
import { mailQuestion, meantMailDomain } from './mail-domain.ts'

type CheckedField = StudentField | 'consent'

interface FieldCheckOptions {
  form: RefObject<HTMLFormElement | null>
  /** Whether the server has judged all answers that the form starts with. */
  isJudged: boolean
  /** Shows what is wrong with some fields now, and gives their sentences. */
  check: (form: HTMLFormElement, fields: readonly CheckedField[]) => Promise<string[]>
}

/** Checks a field when it is left, once something was typed or chosen in it. */
export function useFieldChecks({ form, isJudged, check }: FieldCheckOptions) {
  const changed = useRef(new Set<CheckedField>())
  const afterPress = useAfterPress()
  const [mailDomain, setMailDomain] = useState<string>()
  const [notice, setNotice] = useState('')

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what was filled in before the scripts arrived
  useEffect(() => {
    if (!isJudged) void checkLeft(studentFieldNames)
  }, [])

  function noteInput({ target }: FormEvent<HTMLFormElement>) {
    const field = fieldOf(target)
    if (field) changed.current.add(field)
    if (field === 'email') setMailDomain(undefined)
  }

  /** Checks those of the fields that have been answered, except the one with the focus. */
  async function checkLeft(fields: readonly CheckedField[]) {
    if (!form.current) return
    const values = valuesOf(new FormData(form.current))
    const body = bodyOf(values)
    const here = fieldOf(document.activeElement)
    // Between the parts of a date a phone's keyboard may be put away.
    const isAmidDate = here === undefined && birthDateNames.some((name) => values[name] === '')
    const left = fields
      .filter((field) => field !== here && (body[field] || changed.current.has(field)))
      .filter((field) => field !== 'dateOfBirth' || !isAmidDate)
    if (left.length === 0) return
    const sentences = await check(form.current, left)
    if (left.includes('email')) {
      const domain = meantMailDomain(values.email)
      setMailDomain(domain)
      if (domain !== undefined) sentences.push(mailQuestion(domain))
    }
    setNotice(sentences.join(' '))
  }

  function noteLeft({ target }: FocusEvent<HTMLFormElement>) {
    const field = fieldOf(target)
    if (field) afterPress(() => void checkLeft([field]))
  }

  return { mailDomain, notice, noteInput, noteLeft }
}

/** The field that a control of the form belongs to. */
function fieldOf(control: EventTarget | null): CheckedField | undefined {
  if (!(control instanceof Element)) return undefined
  const name = control.getAttribute('name')
  if (name === 'consent') return name
  if (birthDateNames.some((part) => part === name)) return 'dateOfBirth'
  return studentFieldNames.find((field) => field === name)
}

/**
 * Calls back when no press is under way, and its click is done: a sentence that appears would move what is pressed
 * away from under the finger, and the click would be lost.
 */
function useAfterPress() {
  const isPressed = useRef(false)
  useEffect(() => {
    const listening = new AbortController()
    const { signal } = listening
    const note = ({ type }: Event) => {
      isPressed.current = type === 'pointerdown'
    }
    for (const type of ['pointerdown', 'pointerup', 'pointercancel']) {
      document.addEventListener(type, note, { capture: true, signal })
    }
    return () => listening.abort()
  }, [])

  return (callback: () => void) => {
    if (!isPressed.current) setTimeout(callback)
    else document.addEventListener('pointerup', () => setTimeout(callback), { capture: true, once: true })
  }
}
