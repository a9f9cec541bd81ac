import { Send } from 'lucide-react'
import { useDeferredValue } from 'react'
import type { MailQueueStatus } from '#shared/mail.ts'
import { Button } from '#web/components/button.tsx'
import { FormFailure } from '#web/components/form-failure.tsx'
import { UnsavedPrompt } from '#web/components/unsaved-prompt.tsx'
import { countOf } from '#web/lib/count-text.ts'
import { addresseesOf, missingAddressees, whomText } from './addressees.ts'
import type { BulkStart } from './bulk-data.ts'
import { ConfirmModal } from './confirm-modal.tsx'
import { FormStep } from './form-step.tsx'
import { MessageFields } from './message-fields.tsx'
import { MessagePreview } from './message-preview.tsx'
import { RecipientFields } from './recipient-fields.tsx'
import { useAudience } from './use-audience.ts'
import { useBulkForm } from './use-bulk-form.ts'

interface BulkFormProps {
  start: BulkStart
  /** How far the outgoing mail is; null while nobody tells. */
  queue: MailQueueStatus | null
  /** E-mail is not configured: nothing can be sent. */
  disabled: boolean
}

const sendHintId = 'bulk-send-hint'

/** Writes a bulk e-mail: to whom, what, how it looks; sent after a question that names the number. */
export function BulkForm({ start, queue, disabled }: BulkFormProps) {
  const form = useBulkForm()
  const { values, phase, failure, guard } = form
  const audience = useAudience(values, values.way === 'students')
  // A list may have thousands of lines: reading it must not hold up the typing.
  const read = { ...values, list: useDeferredValue(values.list) }
  const { count, sample } = addresseesOf(read, audience)
  const missing = missingAddressees(read, audience)
  const isCounting = values.way === 'students' && count === null && audience.failure === null
  const isSending = phase === 'sending'
  return (
    <>
      <form
        noValidate
        aria-label="Bulk e-mail"
        aria-busy={isSending}
        onSubmit={(event) => {
          event.preventDefault()
          form.ask(missing, isCounting)
        }}
      >
        <p aria-live="assertive" className="sr-only">
          {form.errors[0]?.message}
        </p>
        <fieldset
          disabled={disabled}
          className="grid min-w-0 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]"
        >
          <div className="flex min-w-0 flex-col gap-4">
            <FormStep number={1} title="Recipients">
              <RecipientFields form={form} start={start} audience={audience} />
            </FormStep>
            <FormStep number={2} title="Message">
              <MessageFields form={form} templates={start.templates} />
            </FormStep>
          </div>
          <FormStep number={3} title="Preview and send">
            <MessagePreview values={values} sample={sample} isActive={!disabled} />
            {failure !== null && <FormFailure message={failure} />}
            <p id={sendHintId} className={missing === null ? 'wrap-anywhere' : 'text-sm text-muted'}>
              {missing ?? (
                <>
                  <strong className="block font-semibold tabular-nums">
                    To {countOf(count ?? 0, 'recipient')}
                  </strong>
                  <span className="text-sm text-muted">{whomText(read)}</span>
                </>
              )}
            </p>
            <Button
              type="submit"
              className="self-start max-sm:self-stretch"
              icon={<Send aria-hidden="true" className="size-4" />}
              aria-disabled={isSending || missing !== null}
              aria-describedby={sendHintId}
            >
              {isSending
                ? 'Sending…'
                : missing === null && count
                  ? `Send to ${countOf(count, 'recipient')}`
                  : 'Send'}
            </Button>
          </FormStep>
        </fieldset>
      </form>
      <ConfirmModal
        open={phase !== 'editing'}
        isBusy={isSending}
        count={count ?? 0}
        subject={values.subject.trim()}
        queue={queue}
        onSend={() => void form.send()}
        onClose={form.stopAsking}
      />
      <UnsavedPrompt
        what="in this bulk e-mail"
        open={guard.isAsking}
        onDiscard={guard.discard}
        onKeep={guard.keep}
      />
    </>
  )
}
