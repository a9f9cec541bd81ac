import { FileUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { importSentences, maxImportBytes } from '#shared/imports/imports.ts'
import { SmallButton } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { FileField } from '#web/components/file-field.tsx'
import { ProgressBar } from '#web/components/progress-bar.tsx'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { withQuery } from '#web/lib/next-path.ts'
import { type Sending, sendForm, sentId } from '#web/lib/send-form.ts'
import { importPath, type ListOfFile, purposeTexts } from './imports-data.ts'

/** Opens the import of what was uploaded. */
export function UploadStep({ list = null }: { list?: ListOfFile | null }) {
  const navigate = useNavigate()
  const [progress, setProgress] = useState<{ name: string; part: number } | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const sending = useRef<Sending<string>>(null)
  // Leaving the tab aborts the upload.
  useEffect(() => () => sending.current?.cancel(), [])

  async function send(file: File) {
    setFailure(null)
    if (file.size > maxImportBytes) return setFailure(importSentences.tooBig)
    const onProgress = (part: number) => setProgress({ name: file.name, part })
    onProgress(0)
    const sent = sendForm({
      method: 'POST',
      path: withQuery('/api/imports', { fileName: file.name, ...list }),
      body: file,
      headers: { 'Content-Type': 'application/octet-stream' },
      read: sentId,
      onProgress,
    })
    sending.current = sent
    try {
      void navigate(importPath({ id: await sent.done, purpose: list?.purpose ?? 'students' }))
    } catch (error) {
      if (sending.current === sent) setFailure(sentenceOf(error))
    }
    setProgress(null)
  }

  function cancel() {
    const { current: sent } = sending
    sending.current = null
    sent?.cancel()
  }

  return (
    <>
      {failure && <ErrorBanner message={failure} onDismiss={() => setFailure(null)} />}
      {/* The padding is the field's own: a file may be dropped anywhere inside the border. */}
      <section
        aria-label="Upload a file"
        className="rounded-box border border-dashed border-edge bg-card *:p-6 sm:*:p-10"
      >
        {progress ? (
          <div className="flex max-w-md flex-col gap-3">
            <p className="font-semibold wrap-anywhere">{progress.name}</p>
            <ProgressBar
              label={progress.part < 1 ? 'Uploading' : 'Reading rows'}
              part={progress.part < 1 ? progress.part : null}
            />
            <SmallButton className="self-start" onClick={cancel}>
              Cancel
            </SmallButton>
          </div>
        ) : (
          <FileField
            name="import-file"
            label={purposeTexts[list?.purpose ?? 'students'].file}
            hint="Or drop it here. Up to 20 MB and 50,000 rows. Nothing is saved until you confirm."
            accept=".xlsx,.csv,.tsv,.txt,.json,text/csv,application/json,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
            choose="Choose a file"
            icon={FileUp}
            preview={null}
            onTake={(file) => void send(file)}
          />
        )}
      </section>
    </>
  )
}
