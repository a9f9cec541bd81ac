import { FileSpreadsheet } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '#web/components/button.tsx'
import { FileField } from '#web/components/file-field.tsx'
import { ProgressBar } from '#web/components/progress-bar.tsx'
import { sentenceOf } from '#web/lib/api-problem.ts'
import type { ReadFile } from './bulk-values.ts'
import { fieldIds } from './field-ids.ts'
import { ListResult } from './list-result.tsx'
import { sendRecipients } from './send-recipients.ts'

interface FileRecipientsProps {
  file: ReadFile | null
  error: string | undefined
  onChange: (file: ReadFile | null) => void
}

/** Recipients out of a spreadsheet, which the server reads. */
export function FileRecipients({ file, error, onChange }: FileRecipientsProps) {
  const [sending, setSending] = useState<{ name: string; part: number } | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const cancel = useRef<(() => void) | null>(null)
  // Leaving the form leaves the upload.
  useEffect(() => () => cancel.current?.(), [])

  async function take(chosen: File) {
    cancel.current?.()
    setFailure(null)
    setSending({ name: chosen.name, part: 0 })
    const sent = sendRecipients(chosen, (part) => setSending({ name: chosen.name, part }))
    let isCancelled = false
    const mine = () => {
      isCancelled = true
      sent.cancel()
    }
    cancel.current = mine
    try {
      onChange({ name: chosen.name, list: await sent.done })
    } catch (problem) {
      if (!isCancelled) setFailure(sentenceOf(problem))
    } finally {
      if (cancel.current === mine) {
        cancel.current = null
        setSending(null)
      }
    }
  }

  return (
    <>
      <FileField
        name={fieldIds.file}
        label="Spreadsheet"
        hint="An Excel (.xlsx) or CSV file with one recipient a row: a column for the e-mail address, and one for the first name if there is any."
        required
        error={failure ?? error}
        accept=".xlsx,.csv,.tsv,.txt,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        choose={file === null ? 'Choose a spreadsheet' : 'Choose another spreadsheet'}
        icon={<FileSpreadsheet aria-hidden="true" className="size-4" />}
        shown={file && <p className="min-w-0 text-sm font-semibold wrap-anywhere">{file.name}</p>}
        onTake={(chosen) => void take(chosen)}
        onRemove={() => onChange(null)}
      />
      {sending && (
        <div className="flex flex-col gap-3 rounded-box bg-soft p-4">
          <p className="text-sm font-semibold wrap-anywhere">{sending.name}</p>
          <ProgressBar
            label={sending.part < 1 ? 'Uploading' : 'Reading the rows'}
            part={sending.part < 1 ? sending.part : null}
          />
          <Button variant="outline" size="sm" className="self-start" onClick={() => cancel.current?.()}>
            Cancel
          </Button>
        </div>
      )}
      {file && <ListResult list={file.list} />}
    </>
  )
}
