import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { RegistrationDesk } from '#shared/registration.ts'
import { prepareConfirmation } from './enlisted-panel.tsx'
import { ErrorSummary } from './error-summary.tsx'
import { fieldContext } from './field-context.ts'
import { FormSectionsList } from './form-sections-list.tsx'
import { FormTitle } from './form-title.tsx'
import { hasAnswers } from './has-answers.ts'
import { KeepAnswers } from './keep-answers.tsx'
import { SectionProgress } from './section-progress.tsx'
import { SubmitPanel } from './submit-panel.tsx'
import { useDraft } from './use-draft.ts'
import { type Enlisted, type RefusedPost, useEnlistment } from './use-enlistment.ts'
import { useFieldChecks } from './use-field-checks.ts'

export interface EnlistmentFormProps {
  desk: RegistrationDesk
  idempotencyKey: string
  refused: RefusedPost | undefined
  /** Kept up to date for the page: leaving now would lose answers. */
  unsaved: RefObject<boolean>
  onEnlisted: (enlisted: Enlisted) => void
  /** Called when the form's scripts are at work. */
  onReady?: () => void
}

/**
 * The form itself: native controls that React never writes to, so that nothing typed before its scripts
 * arrive is lost, and a plain post of the same form works without them. It may be a tree of its own, so it
 * uses nothing of the router.
 */
export function EnlistmentForm(props: EnlistmentFormProps) {
  const { desk, idempotencyKey, refused, unsaved, onEnlisted, onReady } = props
  const form = useRef<HTMLFormElement>(null)
  const keepBox = useRef<HTMLInputElement>(null)
  // The key of this form, also when the page's data is read anew while somebody types.
  const [key, setKey] = useState(refused?.idempotencyKey ?? idempotencyKey)
  const draft = useDraft({ form, box: keepBox, canRestore: refused === undefined, onRestored: setKey })

  const enlistment = useEnlistment({
    start: desk,
    refused,
    onEnlisted(enlisted) {
      draft.stop()
      form.current?.reset()
      unsaved.current = false
      onEnlisted(enlisted)
    },
  })
  const { offer, errors, failed, isSending, isRefused, announcement, submit, forgive, check } = enlistment
  const { mailDomain, notice, noteInput, noteLeft } = useFieldChecks({
    form,
    isJudged: refused !== undefined,
    check,
  })

  function noteUnsaved() {
    const hasSome = refused !== undefined || (form.current !== null && hasAnswers(form.current))
    unsaved.current = hasSome && !keepBox.current?.checked
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the scripts are at work
  useEffect(() => {
    noteUnsaved()
    prepareConfirmation()
    onReady?.()
  }, [])

  const fields = useMemo(
    () => ({
      values: refused?.values ?? { academicYear: desk.currentAcademicYear },
      errors: new Map(errors.map(({ path, message }) => [path, message])),
      mailDomain,
    }),
    [refused, errors, mailDomain, desk.currentAcademicYear],
  )

  return (
    <div className="page-width py-8 md:py-12">
      <FormTitle />
      <p className="mt-4 max-w-3xl">
        It takes about five minutes. Answers marked <span className="font-semibold text-danger">*</span> are
        required; everything else may stay empty.
      </p>
      <form
        ref={form}
        method="post"
        noValidate
        aria-busy={isSending}
        onSubmit={(event) => void submit(event)}
        onKeyDown={goOnWithEnter}
        onInput={(event) => {
          noteUnsaved()
          noteInput(event)
          draft.schedule()
          void forgive(event.currentTarget)
        }}
        onBlur={noteLeft}
        className="mt-6 grid grid-cols-1 gap-6 lg:grid-cols-[14rem_minmax(0,1fr)] lg:gap-10 [&_:is(input,select,textarea)]:scroll-mt-24"
      >
        {/* Without this, browsers bring back the key of an earlier form after a reload. */}
        <input type="hidden" name="idempotencyKey" defaultValue={key} autoComplete="off" />
        <SectionProgress form={form} />
        <div className="flex min-w-0 flex-col gap-5">
          <p aria-live="assertive" className="sr-only">
            {announcement}
          </p>
          <p role="status" className="sr-only">
            {notice}
          </p>
          <KeepAnswers draft={draft} box={keepBox} />
          {isRefused && errors.length > 0 && <ErrorSummary errors={errors} isOpen={refused !== undefined} />}
          <fieldContext.Provider value={fields}>
            <FormSectionsList offer={offer} />
          </fieldContext.Provider>
          <SubmitPanel isSending={isSending} failed={failed} />
        </div>
      </form>
    </div>
  )
}

/**
 * On a phone the Enter key of these fields says "next", so it goes there; the browser alone would submit the
 * form. With a real keyboard Enter submits, as everywhere.
 */
function goOnWithEnter(event: KeyboardEvent<HTMLFormElement>) {
  const { target } = event
  if (event.key !== 'Enter' || event.defaultPrevented || !(target instanceof HTMLInputElement)) return
  if (target.enterKeyHint !== 'next' || !matchMedia('(pointer: coarse)').matches) return
  event.preventDefault()
  const controls = [...event.currentTarget.querySelectorAll<HTMLElement>('input, select, textarea')]
  const visible = controls.filter((control) => control.offsetParent !== null)
  visible[visible.indexOf(target) + 1]?.focus()
}
