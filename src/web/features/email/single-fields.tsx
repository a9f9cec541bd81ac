import { mailLimits } from '#shared/mail.ts'
import { FormattingHelp } from '#web/components/formatting-help.tsx'
import { TextAreaField, TextField } from '#web/components/text-field.tsx'
import { lengthHint } from '#web/lib/length-hint.ts'
import { fieldIds, type SingleEmailForm } from './use-single-email.ts'

/** Recipient, subject and message. */
export function SingleFields({ form }: { form: SingleEmailForm }) {
  const { values, change, errorOf, sending } = form
  const common = { required: true, readOnly: sending !== null }
  return (
    <>
      <TextField
        {...common}
        id={fieldIds.to}
        name="to"
        label="Recipient"
        // The address of somebody else: nothing that the browser would know.
        type="email"
        autoComplete="off"
        value={values.to}
        error={errorOf('to')}
        onChange={({ target }) => change({ to: target.value })}
      />
      <TextField
        {...common}
        id={fieldIds.subject}
        name="subject"
        label="Subject"
        autoComplete="off"
        value={values.subject}
        error={errorOf('subject')}
        onChange={({ target }) => change({ subject: target.value })}
      />
      <TextAreaField
        {...common}
        id={fieldIds.message}
        name="message"
        label="Message"
        rows={12}
        value={values.message}
        error={errorOf('message')}
        hint={lengthHint(values.message, mailLimits.body)}
        onChange={({ target }) => change({ message: target.value })}
      />
      <FormattingHelp />
    </>
  )
}
