import { Send } from 'lucide-react'
import type { FormEvent } from 'react'
import { Button } from '#web/components/button.tsx'
import { FormFailure } from '#web/components/form-failure.tsx'
import { UnsavedPrompt } from '#web/components/unsaved-prompt.tsx'
import { tabOf } from '#web/lib/admin-tab.ts'
import { emailPaneOf } from '#web/lib/email-pane.ts'
import { useUnsavedGuard } from '#web/lib/unsaved-guard.ts'
import { SingleFields } from './single-fields.tsx'
import { SinglePreview } from './single-preview.tsx'
import { type SingleEmailForm, useSingleEmail } from './use-single-email.ts'

/** Writes to one person (spec §2 "Single Email"). @param disabled while e-mail is not configured */
export function SingleEmail({ disabled }: { disabled: boolean }) {
  const form = useSingleEmail()
  const guard = useUnsavedGuard(
    form.isDirty,
    ({ pathname, search }) =>
      pathname === '/admin' &&
      tabOf(search) === 'email' &&
      emailPaneOf(new URLSearchParams(search)) === 'single',
  )
  const { values, sending, failure } = form

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    void form.send('recipient')
  }

  return (
    <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-2">
      <form
        noValidate
        aria-label="Single Email"
        aria-busy={sending !== null}
        onSubmit={onSubmit}
        className="min-w-0 rounded-box border bg-card p-4 shadow-card sm:p-5"
      >
        <fieldset disabled={disabled} className="flex min-w-0 flex-col gap-4">
          <legend className="sr-only">A message to one person</legend>
          <p aria-live="assertive" className="sr-only">
            {form.errors[0]?.message}
          </p>
          {failure !== null && <FormFailure message={failure} />}
          <SingleFields form={form} />
          <Buttons form={form} />
        </fieldset>
      </form>
      <SinglePreview subject={values.subject} message={values.message} />
      <UnsavedPrompt
        what="in this message"
        open={guard.isAsking}
        onDiscard={guard.discard}
        onKeep={guard.keep}
      />
    </div>
  )
}

function Buttons({ form: { sending, send } }: { form: SingleEmailForm }) {
  const isBusy = sending !== null
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        type="submit"
        size="sm"
        className="max-md:min-h-11"
        aria-disabled={isBusy}
        icon={<Send aria-hidden="true" className="size-4" />}
      >
        {sending === 'recipient' ? 'Sending…' : 'Send Email'}
      </Button>
      <Button
        variant="outline"
        size="sm"
        className="max-md:min-h-11"
        aria-disabled={isBusy}
        onClick={() => void send('self')}
      >
        {sending === 'self' ? 'Sending…' : 'Send test to myself'}
      </Button>
    </div>
  )
}
