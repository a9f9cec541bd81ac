import { Pencil } from 'lucide-react'
import { type FocusEvent, useRef } from 'react'
import { mailLimits } from '#shared/mail/mail.ts'
import { placeholderNames, placeholderTexts, unknownPlaceholders } from '#shared/mail/mail-placeholders.ts'
import type { MailTemplateInfo } from '#shared/mail/mail-response.ts'
import { Button } from '#web/components/button.tsx'
import { SelectField, TextAreaField, TextField } from '#web/components/field.tsx'
import type { EditForm } from '#web/components/form.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { lengthHint } from '#web/lib/number-texts.ts'
import { type BulkValues, idOf, isOfStudentsOnly, ownText } from './bulk-data.ts'

interface MessageFieldsProps {
  form: EditForm<BulkValues>
  templates: readonly MailTemplateInfo[]
}

export function MessageFields({ form, templates }: MessageFieldsProps) {
  const { values, set, field, errorOf } = form
  const last = useRef<TextControl>(null)
  const stored = templates.find(({ name }) => name === values.template)
  const written = stored ? values.subject : `${values.subject}\n${values.body}`
  const text = {
    required: true,
    density: 'compact',
    onFocus: ({ currentTarget }: FocusEvent<TextControl>) => {
      last.current = currentTarget
    },
  } as const

  function insert(placeholder: string) {
    // The message's field goes with a stored text.
    const focused = last.current?.isConnected ? last.current : null
    const target = focused ?? controlOf(idOf('body')) ?? controlOf(idOf('subject'))
    if (target) insertAtCaret(target, placeholder)
  }

  return (
    <>
      <SelectField
        id={idOf('template')}
        name="template"
        label="Text"
        density="compact"
        className="max-md:[&_select]:min-h-11"
        options={[
          { value: ownText, label: 'Custom message' },
          ...templates.map(({ name, title }) => ({ value: name, label: title })),
        ]}
        error={errorOf('template')}
        value={values.template}
        onChange={({ target }) => {
          set('template', target.value)
          set('subject', subjectAfter(target.value, values.subject, templates))
        }}
      />
      <TextField
        {...field('subject')}
        {...text}
        id={idOf('subject')}
        label="Subject"
        className="max-md:[&_input]:min-h-11 max-md:[&_input]:text-base"
        autoComplete="off"
        hint={lengthHint(values.subject, mailLimits.subject)}
      />
      {stored ? (
        <StoredText template={stored} form={form} />
      ) : (
        <TextAreaField
          {...field('body')}
          {...text}
          id={idOf('body')}
          label="Message"
          rows={10}
          className="max-md:[&_textarea]:text-base"
          hint={
            lengthHint(values.body, mailLimits.body) ??
            'Blank line = new paragraph. **Bold**, *italic* and - lists work.'
          }
        />
      )}
      {/* A field's own sentence names them too. */}
      <UnknownPlaceholders
        names={(errorOf('subject') ?? errorOf('body')) === undefined ? unknownPlaceholders(written) : []}
      />
      <fieldset className="min-w-0">
        <legend className="mb-1.5 text-sm font-semibold">Insert a placeholder</legend>
        <div className="flex flex-wrap gap-1.5">
          {placeholderNames.map((name) => (
            <button
              key={name}
              type="button"
              title={placeholderTexts[name]}
              className="min-h-8 rounded-box border border-edge bg-card px-2.5 font-mono text-sm hover:bg-soft disabled:text-muted max-md:min-h-11"
              onClick={() => insert(`{${name}}`)}
            >
              {`{${name}}`}
            </button>
          ))}
        </div>
      </fieldset>
      {values.way !== null && values.way !== 'students' && !stored && isOfStudentsOnly(written) && (
        <p className="rounded-box bg-warning-soft px-4 py-2.5 text-sm text-warning">
          A list has first names only. The other placeholders are filled in for recipients with a student
          record under the same address; for others they stay empty.
        </p>
      )}
    </>
  )
}

type TextControl = HTMLInputElement | HTMLTextAreaElement

function controlOf(id: string): TextControl | null {
  return document.querySelector<TextControl>(`#${id}`)
}

/** The template's subject, unless the user typed one. */
export function subjectAfter(
  chosen: string,
  subject: string,
  templates: readonly MailTemplateInfo[],
): string {
  const isTyped = subject.trim() !== '' && !templates.some((template) => template.subject === subject)
  return isTyped ? subject : (templates.find(({ name }) => name === chosen)?.subject ?? subject)
}

function UnknownPlaceholders({ names }: { names: readonly string[] }) {
  return (
    <p role="status" className="text-sm font-medium text-danger empty:sr-only">
      {names.length > 0 && (
        <>
          {names.length === 1 ? 'Unknown placeholder ' : 'Unknown placeholders '}
          {names.map((name) => (
            <mark
              key={name}
              className="mr-1 rounded-box bg-danger-soft px-1.5 py-0.5 font-mono wrap-anywhere text-danger"
            >{`{${name}}`}</mark>
          ))}
        </>
      )}
    </p>
  )
}

/** Inserts at the caret, replacing the selection, as if typed. */
function insertAtCaret(field: TextControl, text: string): void {
  field.focus()
  const start = field.selectionStart ?? field.value.length
  const end = field.selectionEnd ?? start
  field.setRangeText(text, start, end, 'end')
  // Fires the same event as a key press.
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

interface StoredTextProps {
  template: MailTemplateInfo
  form: EditForm<BulkValues>
}

function StoredText({ template, form }: StoredTextProps) {
  const { values, set } = form

  function write(body: string) {
    set('template', ownText)
    set('body', body)
  }

  function edit() {
    const former = values.body
    write(template.text)
    // This button is removed, and the focus with it.
    setTimeout(() => controlOf(idOf('body'))?.focus())
    if (former.trim() === '' || former === template.text) return
    showToast({
      type: 'info',
      message: 'Your message was replaced by the template.',
      action: { label: 'Undo', onSelect: () => write(former) },
    })
  }

  return (
    <div className="flex flex-col gap-2">
      <p id="stored-text" className="text-sm font-semibold">
        Message
      </p>
      <section
        aria-labelledby="stored-text"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        className="max-h-64 overflow-y-auto rounded-box border bg-soft px-3 py-2 text-sm wrap-anywhere whitespace-pre-wrap"
      >
        {template.text}
      </section>
      <Button
        variant="outline"
        size="sm"
        className="self-start max-md:min-h-11"
        icon={<Pencil aria-hidden="true" className="size-4" />}
        onClick={edit}
      >
        Edit this text
      </Button>
    </div>
  )
}
