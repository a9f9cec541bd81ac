import { toNestErrors } from '@hookform/resolvers'
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import {
  type FieldPath,
  type FieldValues,
  type PathValue,
  type Resolver,
  type UseFormReturn,
  useForm,
} from 'react-hook-form'
import type { Location } from 'react-router'
import * as z from 'zod/mini'
import type { FieldError } from '#shared/problem.ts'
import { fieldErrors } from '#shared/problem.ts'
import { ApiProblem, failureText, isConflict } from '#web/lib/api-problem.ts'
import { scrollIntoSight } from '#web/lib/focus.ts'
import { changedFields, mergeEdit } from '#web/lib/merge-edit.ts'
import type { Sending } from '#web/lib/send-form.ts'
import { SmallButton } from './button.tsx'
import { useDeferredSessionEnd } from './deferred-session-end.ts'
import { ErrorBanner } from './error-banner.tsx'
import { FieldErrorText } from './field.tsx'
import { UnsavedGuard, type UnsavedGuardProps } from './unsaved-prompt.tsx'

export interface FormOptions<Values extends FieldValues, Saved> {
  /** Read once, and again for each version of the record. */
  values: Values
  /** The problems in form order. A path is a name of the values, `a.b` for a nested one. */
  problemsOf: (values: Values) => readonly FieldError[]
  /** @throws ApiProblem: its errors are shown beside their fields, or its sentence above the form */
  send: (values: Values, context: SendContext<Values>) => Promise<Saved> | Sending<Saved>
  onSaved?: (saved: Saved) => void
  /** After each sending, also one that was refused or whose answer was lost. */
  onSent?: () => void
  /** Asks for a confirmation after the values are checked, before they are sent. */
  confirm?: () => Promise<boolean>
  /** `after` is how long the message of a saved form is shown, in ms. */
  close?: { after: number; now: () => void }
  /** The words for a failure, before the reason. */
  whatFailed?: string
  controlId?: (path: string, values: Values) => string
  onDirty?: (isDirty: boolean) => void
  /** Whether unsaved input survives at another address. */
  staysOpen?: (next: Location) => boolean
  /** A record that others may change meanwhile: `send` is refused as `conflict` for an old version. */
  record?: EditedRecord<Values> | undefined
}

interface EditedRecord<Values> {
  what: string
  version: number
  /** Reads what is stored now. */
  read: () => Promise<{ values: Values; version: number }>
  labelOf: (name: keyof Values & string) => string
  /** A value in words; by default the text itself. */
  textOf?: (name: keyof Values & string, values: Values) => string
}

export interface SendContext<Values> {
  /** The version that was read last, for If-Match. */
  version: number
  /** What differs from the stored record. */
  changed: (keyof Values & string)[]
  onProgress: (part: number) => void
}

interface Conflict<Values> {
  differing: readonly (keyof Values & string)[]
  was: Values
  theirs: Values
  mine: Values
  choices: Readonly<Record<string, 'theirs' | 'mine'>>
  isPressing: boolean
}

/**
 * A form of the administration: a sentence beside its field, which goes when its rule holds, focus on the first problem,
 * progress, failure, a choice after another user's change, and guards against lost input. `Form` shows it.
 */
export function useEditForm<Values extends FieldValues, Saved>(options: FormOptions<Values, Saved>) {
  const { problemsOf, send, onSaved, whatFailed, record } = options
  const { controlId = (path) => path } = options
  const id = useId()
  const [failure, setFailure] = useState<{ sentence: string; code: string | undefined } | null>(null)
  const [progress, setProgress] = useState<number | null>(null)
  const [refusal, setRefusal] = useState<{ path: string | undefined } | null>(null)
  const blocker = useRef<FieldError>(null)
  const cancel = useRef<() => void>(null)
  // `isSubmitting` changes with the next render; a second press can come before it.
  const isPressed = useRef(false)
  useEffect(() => () => cancel.current?.(), [])

  function allProblems(values: Values): readonly FieldError[] {
    const { current: wait } = blocker
    if (!wait) return problemsOf(values)
    return [...problemsOf(values).filter(({ path }) => path !== wait.path), wait]
  }

  const resolver: Resolver<Values> = (values, _context, resolverOptions) => {
    const problems = allProblems(values).map(
      ({ path, message }) => [path, { type: 'rule', message }] as const,
    )
    if (problems.length === 0) return { values, errors: {} }
    // The first of two sentences about a field is shown.
    return { values: {}, errors: toNestErrors(Object.fromEntries(problems.reverse()), resolverOptions) }
  }

  // `values` and not `defaultValues`, whose type is a deep partial.
  const [initial] = useState(options.values)
  const form = useForm<Values>({ values: initial, resolver, shouldFocusError: false })
  const { isDirty, isSubmitting, isSubmitted } = form.formState
  // Not react-hook-form's `isSubmitSuccessful`, which a reset while sending leaves as it was.
  const [isSaved, setSaved] = useState(false)
  // A form that closes doesn't change while it is sent: the input would be lost with it.
  const isLocked = isSubmitting && options.close !== undefined
  const phase = isSubmitting ? 'sending' : isSaved && !isDirty ? 'saved' : 'editing'
  // A saved form begins anew: no sentence comes while one types.
  useEffect(() => {
    if (isSaved && isSubmitted && !isSubmitting)
      form.reset(undefined, { keepValues: true, keepDefaultValues: true, keepDirty: true, keepErrors: true })
  }, [isSaved, isSubmitted, isSubmitting, form])
  const closeNow = useEffectEvent(() => options.close?.now())
  const closeMs = options.close?.after
  useEffect(() => {
    if (phase !== 'saved' || closeMs === undefined) return
    const timer = setTimeout(closeNow, closeMs)
    return () => clearTimeout(timer)
  }, [phase, closeMs])
  const guards = useGuards(form, options)
  const { base, conflict, ...conflicts } = useConflict(form, options, () => setFailure(null))

  // biome-ignore lint/correctness/useExhaustiveDependencies: after a refusal, not on each edit
  useEffect(() => {
    if (!refusal) return
    const wanted = refusal.path === undefined ? conflictId : controlId(refusal.path, form.getValues())
    const element = document.getElementById(wanted)
    element?.focus({ preventScroll: true })
    // The field is centred to show the sentence below it: a modal's foot covers what is scrolled only just into view.
    element?.scrollIntoView({ block: 'center' })
  }, [refusal])

  function explain(error: unknown) {
    const problem = error instanceof ApiProblem ? error.problem : undefined
    const errors = problem?.errors ?? []
    for (const { path, message } of errors) {
      // A path of the server that isn't a field's is shown above the form.
      if (isFieldPath(form, path)) form.setError(path, { type: 'server', message })
    }
    const isBeside = errors.length > 0 && errors.every(({ path }) => isFieldPath(form, path))
    if (!isBeside) setFailure({ sentence: failureText(whatFailed, error), code: problem?.code })
    setRefusal({ path: errors[0]?.path ?? 'none' })
    form.setError('root', { type: 'server' })
  }

  function refuseUndecided() {
    form.setError('root', { type: 'conflict' })
    setRefusal({ path: undefined })
  }

  async function start(values: Values, context: SendContext<Values>): Promise<Saved> {
    try {
      const sending = send(values, context)
      if (!('done' in sending)) return await sending
      cancel.current = sending.cancel
      return await sending.done
    } finally {
      options.onSent?.()
    }
  }

  async function sendValues(values: Values): Promise<void> {
    setProgress(null)
    const { version } = base.current
    try {
      const changed = changedFields(base.current.values, values)
      const saved = await start(values, { version, changed, onProgress: setProgress })
      conflicts.end()
      // What was typed meanwhile stays, unsaved.
      form.reset(values, { keepValues: true })
      setSaved(true)
      base.current = { values, version }
      guards.release()
      onSaved?.(saved)
    } catch (error) {
      try {
        if (!record || !isConflict(error)) return explain(error)
        if (await conflicts.meet(record, error)) return await sendValues(form.getValues())
        refuseUndecided()
      } catch (readError) {
        explain(readError)
      }
    }
  }

  return {
    id,
    form,
    phase,
    progress,
    failure,
    staysOpen: guards.staysOpen,
    isDirty,
    conflict,
    record,
    /** Another object after each refusal. */
    refusal,
    values: form.watch(),
    errorOf: (name: FieldPath<Values>) => form.getFieldState(name, form.formState).error?.message,
    /** The props of a native control. */
    field: (name: FieldPath<Values>) => ({
      ...form.register(name),
      ...(isLocked && {
        readOnly: true,
        // A select has no such state: it shows again what is sent.
        onChange: async () => form.setValue(name, form.getValues(name)),
      }),
      id: controlId(name, form.getValues()),
      error: form.getFieldState(name, form.formState).error?.message,
    }),
    /** The props of other controls. */
    set<Name extends FieldPath<Values>>(name: Name, value: PathValue<Values, Name>) {
      if (isLocked) return
      const { error } = form.getFieldState(name, form.formState)
      form.setValue(name, value, { shouldDirty: true, shouldValidate: isSubmitted || error !== undefined })
      // Another field's rule may hold now; what the server refused stays until its field changes.
      const others = Object.entries(form.formState.errors)
        .filter(([other, fieldError]) => other !== String(name) && fieldError?.type === 'rule')
        .map(([other]) => other)
        .filter((other) => isFieldPath(form, other))
      if (others.length > 0) void form.trigger(others)
    },
    refuse: (name: FieldPath<Values>, message: string) => form.setError(name, { type: 'refused', message }),
    /** Blocks sending while a value is prepared, or the former value would be sent. `null` releases. */
    hold(path: FieldPath<Values>, message: string | null) {
      const former = blocker.current
      blocker.current = message === null ? null : { path, message }
      const isShown = former && form.getFieldState(path).error?.message === former.message
      if (isShown && message === null) void form.trigger(path)
    },
    discard() {
      conflicts.end()
      setFailure(null)
      form.reset(base.current.values)
    },
    choose: conflicts.choose,
    async submit(event?: { preventDefault: () => void }) {
      event?.preventDefault()
      if (isPressed.current) return
      isPressed.current = true
      setFailure(null)
      setSaved(false)
      const isUndecided = conflicts.press()
      form.clearErrors('root')
      const sendOrAsk = async (values: Values) => {
        if (isUndecided) return refuseUndecided()
        if ((await options.confirm?.()) !== false) return await sendValues(values)
        form.setError('root', { type: 'unconfirmed' })
      }
      const refused: FieldError[] = []
      await form
        .handleSubmit(sendOrAsk, () => void refused.push(...allProblems(form.getValues())))()
        .finally(() => {
          isPressed.current = false
        })
      // Only now does the form show the errors.
      if (refused[0]) setRefusal({ path: refused[0].path })
    },
  }
}

function isFieldPath<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  path: string,
): path is FieldPath<Values> {
  const [name = ''] = path.split('.')
  return name in form.getValues()
}

/** Guards against lost input: at the session's end, and at another address until the form is saved. */
function useGuards<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  { onDirty, staysOpen = () => false }: Pick<FormOptions<Values, never>, 'onDirty' | 'staysOpen'>,
) {
  const { isDirty, isSubmitting } = form.formState
  useDeferredSessionEnd(isDirty)
  const isReleased = useRef(false)
  const reportDirty = useEffectEvent((now: boolean) => onDirty?.(now))
  // biome-ignore lint/correctness/useExhaustiveDependencies: saving releases, and its end may find other input
  useEffect(() => {
    isReleased.current = !isDirty
    reportDirty(isDirty)
  }, [isDirty, isSubmitting])
  return {
    release() {
      isReleased.current = true
    },
    staysOpen: (next: Location) => isReleased.current || staysOpen(next),
  }
}

/** Another user's change of the record meanwhile. @param onFollowed when a form without input shows it */
function useConflict<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  { values, record }: Pick<FormOptions<Values, never>, 'values' | 'record'>,
  onFollowed: () => void,
) {
  const [conflict, setConflict] = useState<Conflict<Values> | null>(null)
  const base = useRef({ values, version: record?.version ?? 0 })
  const { isDirty, isSubmitting } = form.formState

  // A form without unsaved input follows its record, and so does one whose lost save arrived after all.
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each version
  useEffect(() => {
    if (isSubmitting || record === undefined || record.version <= base.current.version) return
    const matchesRecord = changedFields(values, form.getValues()).length === 0
    if (isDirty && !matchesRecord) return
    base.current = { values, version: record.version }
    form.reset(values)
    onFollowed()
  }, [record?.version, isSubmitting])

  return {
    base,
    conflict,
    end: () => setConflict(null),
    /** Takes over what only the other user changed. @returns whether the form shows nothing of it */
    async meet({ read }: EditedRecord<Values>, error: unknown): Promise<boolean> {
      const mine = form.getValues()
      const now = await read()
      const { values: was, version } = base.current
      if (now.version === version) throw error
      const merge = mergeEdit(was, now.values, mine)
      base.current = now
      form.reset(now.values, { keepValues: true, keepIsSubmitted: true })
      for (const name in merge.values) {
        const path: string = name
        if (isFieldPath(form, path)) form.setValue(path, merge.values[name], { shouldDirty: true })
      }
      const { differing, contested } = merge
      if (differing.length === 0) return true
      const taken = differing.filter((name) => !contested.includes(name))
      const choices = Object.fromEntries(taken.map((name) => [name, 'theirs' as const]))
      setConflict({ differing, was, theirs: now.values, mine, choices, isPressing: false })
      return false
    },
    choose(name: string, choice: 'theirs' | 'mine') {
      if (!conflict || !isFieldPath(form, name)) return
      setConflict({ ...conflict, choices: { ...conflict.choices, [name]: choice } })
      const side: Values = conflict[choice]
      // Indexed in this way, the value has the type of its name.
      for (const key in side) if (key === String(name)) form.setValue(name, side[key], { shouldDirty: true })
    },
    /** Marks the fields without a choice. @returns whether there are any */
    press(): boolean {
      const isUndecided = conflict?.differing.some((name) => conflict.choices[name] === undefined) ?? false
      if (conflict) setConflict({ ...conflict, isPressing: isUndecided })
      return isUndecided
    },
  }
}

export type EditForm<Values extends FieldValues> = ReturnType<typeof useEditForm<Values, unknown>>

interface FormProps<Values extends FieldValues> extends Pick<UnsavedGuardProps, 'closesTo'> {
  form: Pick<
    EditForm<Values>,
    'id' | 'phase' | 'failure' | 'isDirty' | 'staysOpen' | 'conflict' | 'record' | 'choose' | 'submit'
  >
  label?: string
  className?: string
  /** False where a page with several forms has the guard: React Router allows one. */
  isGuarded?: boolean
  children: ReactNode
}

export function Form<Values extends FieldValues>(props: FormProps<Values>) {
  const { form, label, className = 'grid gap-4', isGuarded = true, closesTo, children } = props
  const { id, phase, failure, conflict, record } = form
  const textOf = (name: keyof Values & string, values: Values) =>
    record?.textOf?.(name, values) ?? String(values[name] ?? '')
  return (
    <form
      id={id}
      // Without scripts a form is never sent as an address: its values would be in it.
      method="post"
      noValidate
      aria-label={label}
      aria-busy={phase === 'sending'}
      className={className}
      onSubmit={(event) => void form.submit(event)}
    >
      {failure && (
        <div ref={scrollIntoSight} className="scroll-my-5">
          <ErrorBanner message={failure.sentence || 'An error occurred'} />
        </div>
      )}
      {conflict && record && (
        <ConflictChoices
          what={record.what}
          isPressing={conflict.isPressing}
          fields={conflict.differing.map((name) => ({
            name,
            label: record.labelOf(name),
            was: textOf(name, conflict.was),
            theirs: textOf(name, conflict.theirs),
            mine: textOf(name, conflict.mine),
            choice: conflict.choices[name] ?? null,
          }))}
          onChoose={form.choose}
        />
      )}
      {children}
      {isGuarded && <UnsavedGuard isUnsaved={form.isDirty} staysOpen={form.staysOpen} closesTo={closesTo} />}
    </form>
  )
}

interface DeletedNoticeProps {
  /** What saving it anew can't bring back. */
  lost: string
  action: string
  onAct: () => void
}

export function DeletedNotice({ lost, action, onAct }: DeletedNoticeProps) {
  return (
    <div
      ref={scrollIntoSight}
      className="scroll-my-5 flex flex-wrap items-center gap-3 rounded-box bg-warning-soft px-4 py-3 text-sm"
    >
      <p className="min-w-[min(12rem,100%)] flex-1">
        It was deleted while you were editing. Your changes are still here, but its saved {lost}.
      </p>
      <SmallButton onClick={onAct}>{action}</SmallButton>
    </div>
  )
}

export function problemsOfSchema(schema: z.core.$ZodType, values: unknown): FieldError[] {
  const { error } = z.safeParse(schema, values)
  return fieldErrors(error)
}

interface DifferingField {
  name: string
  label: string
  /** The value in words: as the form was opened (`was`), as stored now (`theirs`), and as in the form (`mine`). */
  was: string
  theirs: string
  mine: string
  choice: 'theirs' | 'mine' | null
}

interface ConflictChoicesProps {
  what: string
  fields: readonly DifferingField[]
  /** Marks fields without a choice. */
  isPressing: boolean
  onChoose: (name: string, choice: 'theirs' | 'mine') => void
}

/** What another user changed while the form was open. Where only they changed it, their value is chosen. */
function ConflictChoices({ what, fields, isPressing, onChoose }: ConflictChoicesProps) {
  return (
    <section
      id={conflictId}
      tabIndex={-1}
      aria-label="Conflicting changes"
      className="grid scroll-my-5 gap-3 rounded-box border border-warning bg-warning-soft p-4 text-sm outline-hidden"
    >
      <div>
        <h3 className="font-semibold text-warning">This {what} was changed while you were editing it.</h3>
        <p className="mt-1">
          Your changes were combined but are not saved yet. Choose a value where both of you edited the same
          field, then save again.
        </p>
      </div>
      {fields.map((field) => (
        <FieldChoice key={field.name} field={field} isPressing={isPressing} onChoose={onChoose} />
      ))}
    </section>
  )
}

const conflictId = 'conflicting-changes'

const emptyText = 'N/A'

interface FieldChoiceProps extends Pick<ConflictChoicesProps, 'isPressing' | 'onChoose'> {
  field: DifferingField
}

function FieldChoice({ field, isPressing, onChoose }: FieldChoiceProps) {
  const id = useId()
  const { name, label, was, theirs, mine, choice } = field
  const isMissing = isPressing && choice === null
  return (
    <fieldset className="min-w-0" aria-describedby={isMissing ? `${id}-error` : undefined}>
      <legend className="font-semibold">
        {label} <span className="font-normal wrap-anywhere text-muted">was: {was || emptyText}</span>
      </legend>
      <div className="mt-1 grid gap-2 sm:grid-cols-2">
        {(
          [
            ['theirs', 'Their change', theirs],
            ['mine', mine === was ? 'Original value' : 'Your change', mine],
          ] as const
        ).map(([side, sideLabel, text]) => (
          <label
            key={side}
            className="flex min-h-11 cursor-pointer items-start gap-3 rounded-box border bg-card p-3"
          >
            <input
              type="radio"
              name={`${id}-side`}
              checked={choice === side}
              onChange={() => onChoose(name, side)}
              className="mt-0.5 size-4.5 shrink-0 accent-primary"
            />
            <span className="min-w-0">
              <span className="block text-xs font-medium text-muted">{sideLabel}</span>
              <span className="block wrap-anywhere whitespace-pre-line">{text || emptyText}</span>
            </span>
          </label>
        ))}
      </div>
      {isMissing && <FieldErrorText id={`${id}-error`}>Please choose a value.</FieldErrorText>}
    </fieldset>
  )
}
