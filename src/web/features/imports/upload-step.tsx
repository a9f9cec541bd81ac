import { clsx } from 'clsx'
import { FileUp } from 'lucide-react'
import { type DragEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { importSentences, maxImportBytes } from '#shared/imports.ts'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { ProgressBar } from '#web/components/progress-bar.tsx'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { importPath } from './imports-address.ts'
import { sendFile } from './send-file.ts'

/** The first step: the file. */
export function UploadStep() {
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const [sending, setSending] = useState<{ name: string; part: number } | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [isOver, setOver] = useState(false)
  const cancel = useRef<(() => void) | null>(null)
  const sendChosen = useEffectEvent(() => void send(input.current?.files?.[0]))
  useEffect(() => {
    // A file may have been chosen before the scripts arrived.
    sendChosen()
    // Leaving the tab leaves the upload.
    return () => cancel.current?.()
  }, [])

  async function send(file: File | undefined) {
    if (!file || sending) return
    setFailure(null)
    if (file.size > maxImportBytes) return setFailure(importSentences.tooBig)
    setSending({ name: file.name, part: 0 })
    const sent = sendFile(file, (part) => setSending({ name: file.name, part }))
    let isCancelled = false
    cancel.current = () => {
      isCancelled = true
      sent.cancel()
    }
    try {
      const { id } = await sent.done
      void navigate(importPath(id))
    } catch (error) {
      if (!isCancelled) setFailure(sentenceOf(error))
    } finally {
      cancel.current = null
      setSending(null)
      // The same file, mended, is chosen again: without this the browser would see no change.
      if (input.current) input.current.value = ''
    }
  }

  function drop(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    void send(event.dataTransfer.files[0])
  }

  return (
    <section aria-labelledby="upload-title" className="flex flex-col gap-3">
      <h2 id="upload-title" className="sr-only">
        Upload a file
      </h2>
      {failure && <ErrorBanner message={failure} onDismiss={() => setFailure(null)} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a comfort; the button does the same */}
      <div
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={clsx(
          'flex flex-col items-center gap-3 rounded-box border border-dashed p-6 text-center sm:p-10',
          isOver ? 'border-primary bg-primary-soft' : 'border-edge bg-card',
        )}
      >
        {sending ? (
          <div className="flex w-full max-w-md flex-col gap-3">
            <p className="font-semibold wrap-anywhere">{sending.name}</p>
            <ProgressBar
              label={sending.part < 1 ? 'Uploading' : 'Reading the rows'}
              part={sending.part < 1 ? sending.part : null}
            />
            <Button variant="outline" size="sm" className="self-center" onClick={() => cancel.current?.()}>
              Cancel
            </Button>
          </div>
        ) : (
          <>
            <FileUp aria-hidden="true" className="size-8 text-muted" />
            <input
              ref={input}
              type="file"
              id="import-file"
              aria-label="File to import"
              tabIndex={-1}
              className="sr-only"
              accept=".xlsx,.csv,.tsv,.txt,.json,text/csv,application/json,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
              onChange={({ target }) => void send(target.files?.[0])}
            />
            <Button onClick={() => input.current?.click()}>Choose a file</Button>
            <p className="text-sm text-muted">
              or drop it here. Up to 20 MB and 50,000 rows. Nothing becomes a record before you have checked
              it.
            </p>
          </>
        )}
      </div>
    </section>
  )
}
