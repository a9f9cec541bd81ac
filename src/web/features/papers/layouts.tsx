import { useQuery } from '@tanstack/react-query'
import { FileUp, Trash2 } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { maxBaseBytes, paperMessages } from '#shared/papers/papers.ts'
import type { LayoutItem, UnknownHeadings } from '#shared/papers/papers-response.ts'
import { useActionWithToast } from '#web/components/action-toast.ts'
import { Badge } from '#web/components/badge.tsx'
import { SmallButton } from '#web/components/button.tsx'
import { ConfirmAction } from '#web/components/confirm-action.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { SelectField } from '#web/components/field.tsx'
import { FileField } from '#web/components/file-field.tsx'
import { Hint } from '#web/components/hint.tsx'
import { focusLoaded } from '#web/components/modal.tsx'
import { LoadedPart } from '#web/components/tab-frame.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { useAccount } from '#web/lib/account.ts'
import { api, callApi, slowApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { useAction } from '#web/lib/query.ts'
import { layoutsQuery } from './data.ts'

/** The forms of the agencies: confirmed or not, and the office's own workbooks. */
export function Layouts() {
  const query = useQuery(layoutsQuery)
  return (
    <>
      <Hint className="mb-4">
        Papers have the form of the portal, unless you upload the workbook that your region gives out. Papers
        that are frozen already stay as they are.
      </Hint>
      <LoadedPart query={query} what="the layouts" lines={5} className="h-20">
        {(layouts) => (
          <ul className="flex flex-col gap-3">
            {layouts.map((layout) => (
              <li key={layout.code} className="flex flex-col gap-3 rounded-box border p-4">
                <Layout layout={layout} />
              </li>
            ))}
          </ul>
        )}
      </LoadedPart>
    </>
  )
}

function Layout({ layout }: { layout: LayoutItem }) {
  const { can } = useAccount()
  const { title, agency, isConfirmed, takesBase } = layout
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h3 className="font-semibold">{title}</h3>
        <span className="grow text-sm text-muted">{agency}</span>
        {isConfirmed ? <Badge tone="success">Confirmed</Badge> : <Badge tone="warning">Not confirmed</Badge>}
        {!isConfirmed && <ConfirmLayout layout={layout} />}
      </div>
      <OwnWorkbook layout={layout} />
      {can('layouts') && takesBase && <UploadWorkbook layout={layout} />}
    </>
  )
}

/** Its headings are facts of other schools until the office says that its own agency takes them. */
export function ConfirmLayout({ layout: { code, title } }: { layout: LayoutItem }) {
  const { can } = useAccount()
  const confirm = useActionWithToast({
    topics: ['papers', 'settings'],
    mutationFn: () =>
      callApi(api.layouts[':code'].confirmed.$put({ param: { code }, json: { isConfirmed: true } })),
    done: `${title} confirmed`,
    saysFailure: true,
  })
  return (
    can('layouts') && (
      <SmallButton
        aria-label={`Confirm ${title}`}
        aria-disabled={confirm.isPending}
        onClick={() => confirm.run()}
      >
        Confirm
      </SmallButton>
    )
  )
}

function OwnWorkbook({ layout: { code, title, base, takesBase } }: { layout: LayoutItem }) {
  const { can } = useAccount()
  const { momentOf } = useInstantTexts()
  const [removing, setRemoving] = useState<typeof base>(null)
  const isRemoved = useRef(false)
  if (!base) {
    return takesBase ? null : (
      <Hint>You can't upload your own workbook for this paper: its headings repeat for each part.</Hint>
    )
  }
  return (
    <div className="flex flex-wrap items-center gap-3 text-sm">
      <div className="grow">
        <p className="font-medium wrap-anywhere">{base.fileName}</p>
        <p className="text-muted">
          {momentOf(base.uploadedAt)}
          {base.uploadedBy !== null && ` by ${base.uploadedBy}`}
        </p>
        {base.removed.length > 0 && <p>Removed: {base.removed.join(', ')}</p>}
      </div>
      {can('layouts') && (
        <SmallButton
          icon={Trash2}
          aria-label={`Remove it: own workbook for ${title}`}
          onClick={() => {
            isRemoved.current = false
            setRemoving(base)
          }}
        >
          Remove it
        </SmallButton>
      )}
      <ConfirmAction
        title="Remove own workbook"
        thing={removing}
        topics={['papers']}
        send={() => callApi(api.layouts[':code'].base.$delete({ param: { code } }))}
        done={`${title} has the form of the portal again`}
        onDone={() => {
          isRemoved.current = true
        }}
        // The button that asked goes with the workbook.
        focusBack={() => (isRemoved.current && document.getElementById(uploadId(code))) || true}
        words={() => ({ confirm: 'Remove', busy: 'Removing…' })}
        onClose={() => setRemoving(null)}
      >
        {({ fileName }) => (
          <p>
            Remove <strong className="wrap-anywhere">{fileName}</strong>? {title} has the form of the portal
            then. Papers that are frozen already stay as they are.
          </p>
        )}
      </ConfirmAction>
    </div>
  )
}

const uploadId = (code: LayoutItem['code']) => `${code}-base`

const workbookType = '.xlsx,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Sends the file; where it has headings that nobody knows, asks for their columns and sends it again. */
function UploadWorkbook({ layout: { code, title, base } }: { layout: LayoutItem }) {
  const [unread, setUnread] = useState<{ file: File; unknown: readonly UnknownHeadings[] } | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const upload = useAction({
    topics: ['papers'],
    mutationFn: ({ file, columns }: { file: File; columns: string }) =>
      callApi(
        slowApi.layouts[':code'].base.$put(
          { param: { code }, query: { fileName: file.name, columns } },
          { init: { body: file, headers: { 'Content-Type': 'application/octet-stream' } } },
        ),
      ),
    onSuccess({ base: stored, unknown }, { file }) {
      setUnread(stored ? null : { file, unknown })
      if (stored) showToast('success', `${title} is written into ${file.name} from now on`)
    },
    onError: (error) => setRefusal(sentenceOf(error)),
  })
  function send(file: File, columns = '') {
    const isTooBig = file.size > maxBaseBytes
    setRefusal(isTooBig ? paperMessages.tooBig : null)
    if (!isTooBig) upload.run({ file, columns })
  }
  return (
    <>
      {refusal !== null && <ErrorBanner message={refusal} onDismiss={() => setRefusal(null)} />}
      {unread ? (
        <ChooseColumns
          unknown={unread.unknown}
          isSending={upload.isPending}
          onChosen={(columns) => send(unread.file, columns)}
          onCancel={() => setUnread(null)}
        />
      ) : (
        <FileField
          name={uploadId(code)}
          label={`Own workbook for ${title}`}
          hint="An .xlsx file up to 5 MB, without a password or macros. Old rows are removed."
          note={upload.isPending ? 'Reading…' : ''}
          accept={workbookType}
          choose={base ? 'Upload another' : 'Upload our own workbook'}
          icon={FileUp}
          preview={null}
          onTake={send}
        />
      )}
    </>
  )
}

interface ChooseColumnsProps {
  unknown: readonly UnknownHeadings[]
  isSending: boolean
  onChosen: (columns: string) => void
  onCancel: () => void
}

function ChooseColumns({ unknown, isSending, onChosen, onCancel }: ChooseColumnsProps) {
  const headings = unknown.flatMap(({ sheet, missing }) =>
    missing.map((one) => ({ ...one, key: `${sheet}.${one.value}` })),
  )
  const questionId = useId()
  const [chosen, setChosen] = useState(() => new Map(headings.map(({ key, proposed }) => [key, proposed])))
  return (
    <form
      ref={focusLoaded}
      aria-labelledby={questionId}
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onChosen(headings.map(({ key }) => `${key}.${chosen.get(key) ?? ''}`).join(','))
      }}
    >
      <p id={questionId} className="text-sm">
        Some headings are worded otherwise. Please say which column of your workbook each one is.
      </p>
      {unknown.map(({ sheet, name, columns, missing }) => (
        <fieldset key={sheet} className="grid gap-3 sm:grid-cols-2">
          <legend className="mb-2 text-sm font-semibold">Sheet {name}</legend>
          {missing.map(({ value, head }) => {
            const key = `${sheet}.${value}`
            return (
              <SelectField
                key={key}
                name={key}
                label={head}
                placeholder="Not in our workbook"
                options={columns.map((one) => ({ value: one.column, label: `${one.column}: ${one.head}` }))}
                value={chosen.get(key) ?? ''}
                onChange={({ target }) => setChosen(new Map(chosen).set(key, target.value))}
              />
            )
          })}
        </fieldset>
      ))}
      <div className="flex flex-wrap gap-2">
        <SmallButton type="submit" aria-disabled={isSending}>
          Use these columns
        </SmallButton>
        <SmallButton onClick={onCancel}>Cancel</SmallButton>
      </div>
    </form>
  )
}
