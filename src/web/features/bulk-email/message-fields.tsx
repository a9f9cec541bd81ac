import { useRef } from 'react'
import { mailLimits } from '#shared/mail.ts'
import { unknownPlaceholders } from '#shared/mail-placeholders.ts'
import type { MailTemplateInfo } from '#shared/mail-preview.ts'
import { SelectField } from '#web/components/select-field.tsx'
import { TextAreaField, TextField } from '#web/components/text-field.tsx'
import { lengthHint } from '#web/lib/length-hint.ts'
import { isOfStudentsOnly, ownText } from './bulk-values.ts'
import { fieldIds } from './field-ids.ts'
import { PlaceholderButtons } from './placeholder-buttons.tsx'
import { StoredText } from './stored-text.tsx'
import { subjectAfter } from './template-subject.ts'
import { UnknownPlaceholders } from './unknown-placeholders.tsx'
import type { BulkFormState } from './use-bulk-form.ts'

interface MessageFieldsProps {
  form: BulkFormState
  templates: readonly MailTemplateInfo[]
}

/** What is sent: a subject, and a stored text or one's own. */
export function MessageFields({ form, templates }: MessageFieldsProps) {
  const { values, change, errorOf } = form
  const subject = useRef<HTMLInputElement>(null)
  const body = useRef<HTMLTextAreaElement>(null)
  /** Where a placeholder goes: the field that was used last. */
  const last = useRef<'subject' | 'body'>('body')
  const stored = templates.find(({ name }) => name === values.template)
  const written = stored ? values.subject : `${values.subject}\n${values.body}`

  return (
    <>
      <SelectField
        id={fieldIds.template}
        name="template"
        label="Text"
        density="compact"
        className="max-md:[&_select]:min-h-11"
        options={[
          { value: ownText, label: 'Your own text' },
          ...templates.map(({ name, title }) => ({ value: name, label: title })),
        ]}
        error={errorOf('template')}
        value={values.template}
        onChange={({ target }) =>
          change({ template: target.value, subject: subjectAfter(target.value, values.subject, templates) })
        }
      />
      <TextField
        ref={subject}
        id={fieldIds.subject}
        name="subject"
        label="Subject"
        required
        density="compact"
        className="max-md:[&_input]:min-h-11 max-md:[&_input]:text-base"
        autoComplete="off"
        hint={lengthHint(values.subject, mailLimits.subject)}
        value={values.subject}
        error={errorOf('subject')}
        onFocus={() => {
          last.current = 'subject'
        }}
        onChange={({ target }) => change({ subject: target.value })}
      />
      {stored ? (
        <StoredText template={stored} form={form} />
      ) : (
        <TextAreaField
          ref={body}
          id={fieldIds.body}
          name="body"
          label="Message"
          required
          density="compact"
          rows={10}
          className="max-md:[&_textarea]:text-base"
          hint={
            lengthHint(values.body, mailLimits.body) ??
            'Leave a line empty between paragraphs. **Bold**, *italic* and - lists work.'
          }
          value={values.body}
          error={errorOf('body')}
          onFocus={() => {
            last.current = 'body'
          }}
          onChange={({ target }) => change({ body: target.value })}
        />
      )}
      <UnknownPlaceholders names={unknownPlaceholders(written)} />
      <PlaceholderButtons
        fieldOf={() => (last.current === 'subject' || !body.current ? subject.current : body.current)}
      />
      {values.way !== null && values.way !== 'students' && !stored && isOfStudentsOnly(written) && (
        <p className="rounded-box bg-warning-soft px-4 py-2.5 text-sm text-warning">
          A list has first names only. The other placeholders are filled in for who has a student record with
          the same address, and stay empty for everybody else.
        </p>
      )}
    </>
  )
}
