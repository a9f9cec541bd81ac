import { Pencil } from 'lucide-react'
import type { MailTemplateInfo } from '#shared/mail-preview.ts'
import { Button } from '#web/components/button.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { ownText } from './bulk-values.ts'
import { fieldIds } from './field-ids.ts'
import type { BulkFormState } from './use-bulk-form.ts'

interface StoredTextProps {
  template: MailTemplateInfo
  form: BulkFormState
}

/** A stored text as it will be sent, and the way to make it one's own. */
export function StoredText({ template, form }: StoredTextProps) {
  const { values, change } = form

  function edit() {
    const former = values.body
    change({ template: ownText, body: template.text })
    // This button goes, and the focus with it.
    setTimeout(() => document.getElementById(fieldIds.body)?.focus())
    if (former.trim() === '' || former === template.text) return
    showToast({
      type: 'info',
      message: 'The stored text stands in place of what you had written.',
      action: { label: 'Put mine back', onSelect: () => change({ template: ownText, body: former }) },
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
