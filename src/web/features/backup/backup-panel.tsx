import { useQuery } from '@tanstack/react-query'
import type { InferResponseType } from 'hono/client'
import { Download, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { generatePassword } from '#shared/auth/generated-password.ts'
import { minPassphraseLength } from '#shared/backup/backup.ts'
import type { FieldError } from '#shared/problem.ts'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Form } from '#web/components/form.tsx'
import { Hint } from '#web/components/hint.tsx'
import { PasswordField } from '#web/components/password-field.tsx'
import { useOfficeForm } from '#web/components/record-form.ts'
import { ShownOnce } from '#web/components/shown-once.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { TabFrame } from '#web/components/tab-frame.tsx'
import { api, reading } from '#web/lib/api.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { sizeText } from '#web/lib/number-texts.ts'
import { useNow } from '#web/lib/relative-time.ts'
import { saveDownload } from '#web/lib/save-download.ts'
import { NightlyBackupSection } from './nightly-backup.tsx'

const empty = { passphrase: '', repeated: '' }

export function BackupPanel() {
  const query = useQuery({
    queryKey: ['students', 'backup'],
    queryFn: reading(api.backup.$get, undefined),
    // A nightly backup is announced with the settings.
    meta: { topics: ['settings'] },
  })
  const { state, start, forget } = useBackup()
  const isRunning = state.kind === 'running'
  const form = useOfficeForm({
    topics: ['students'],
    values: empty,
    problemsOf,
    // Its failure is part of the state below.
    send: ({ passphrase }) => start(passphrase),
    onDone(isMade) {
      if (isMade) form.form.reset(empty)
    },
  })
  const { field } = form

  return (
    <TabFrame query={query} failure="Failed to load the backup">
      <div className="grid gap-4">
        <LastBackup status={query.data ?? null} />
        <Form form={form} isGuarded={false}>
          <Hint>
            One file with all records, files, settings and the audit trail. Store it on another machine: you
            need it to restore everything if this one is lost.
          </Hint>
          <div className="grid gap-4 sm:grid-cols-2">
            <PasswordField
              {...field('passphrase')}
              required={false}
              autoComplete="new-password"
              label="Passphrase (optional)"
            />
            <PasswordField
              {...field('repeated')}
              required={false}
              autoComplete="new-password"
              label="Confirm passphrase"
            />
          </div>
          <Hint>
            The file is encrypted. Choose a passphrase of at least {minPassphraseLength} characters, such as
            four unrelated words, or leave blank and we’ll generate one, shown once. Store it separately. If
            you lose it, the backup cannot be opened.
          </Hint>
          <div>
            <Button type="submit" aria-disabled={isRunning} icon={Download}>
              Create Backup
            </Button>
          </div>
        </Form>
        <Outcome state={state} />
        {state.kind === 'done' && state.generated && (
          <ShownOnce
            title="Recovery passphrase of this backup"
            hint="Write it down now: it is shown only once, and without it this backup cannot be opened."
            what="Passphrase"
            secret={state.generated}
            onDone={forget}
          />
        )}
        {query.data && <NightlyBackupSection nightly={query.data.nightly} />}
        <RestoreHelp />
      </div>
    </TabFrame>
  )
}

type BackupStatus = InferResponseType<typeof api.backup.$get, 200>

function LastBackup({ status }: { status: BackupStatus | null }) {
  const { momentOf } = useInstantTexts()
  const now = useNow(status)
  if (!status) return <Skeleton className="h-6 w-2/3" />
  const warning = ageWarning(status, now)
  return (
    <div className="grid gap-1">
      {status.last && (
        <p>
          Last backup: <span className="font-semibold">{momentOf(status.last.at)}</span>
          {status.last.isSealed ? ', encrypted' : ', not encrypted'}
        </p>
      )}
      {warning && (
        <p className="flex items-start gap-2 font-medium text-warning">
          <TriangleAlert className="mt-0.5 size-5 shrink-0" />
          {warning}
        </p>
      )}
    </div>
  )
}

/** Screen readers announce the state only, not the counter. */
function Outcome({ state }: { state: BackupState }) {
  if (state.kind === 'failed') return <ErrorBanner message={state.sentence} />
  return (
    <div>
      <p role="status" className={state.kind === 'done' ? 'font-medium text-success' : ''}>
        {state.kind === 'running' && 'Creating the backup. Please keep this page open.'}
        {state.kind === 'done' &&
          `The backup was saved to your downloads (${sizeText(state.bytes)}). Move it to a safe place.`}
      </p>
      {state.kind === 'running' && (
        <Hint aria-hidden="true" className="mt-1 tabular-nums">
          {sizeText(state.bytes)} received
        </Hint>
      )}
    </div>
  )
}

function problemsOf({ passphrase, repeated }: typeof empty): FieldError[] {
  if (passphrase === '' && repeated === '') return []
  if (passphrase.length < minPassphraseLength) {
    return [
      { path: 'passphrase', message: `The passphrase must have at least ${minPassphraseLength} characters.` },
    ]
  }
  return passphrase === repeated ? [] : [{ path: 'repeated', message: 'The passphrases do not match.' }]
}

const dayMs = 24 * 60 * 60 * 1000
const oldAfterDays = 30

export function ageWarning({ last }: Pick<BackupStatus, 'last'>, now: Date): string | null {
  if (!last) return 'No backup yet.'
  const days = Math.floor((now.getTime() - Date.parse(last.at)) / dayMs)
  return days > oldAfterDays ? `The last backup is ${days} days old. Please create a new one.` : null
}

// A restore runs on the server's command line: it replaces this page's session too.
function RestoreHelp() {
  return (
    <details className="rounded-box border px-4">
      <summary className="cursor-pointer py-2.5 font-semibold">How to restore a backup</summary>
      <ol className="grid list-decimal gap-2 pb-4 pl-5 text-sm">
        <li>Stop NSTP Portal on the machine to restore to. It can be a new machine.</li>
        <li>
          In the NSTP Portal folder run <Command>npm run restore -- FILE</Command> with the backup's file
          name. The whole file is checked before anything is replaced. If an error occurs, the current data
          stays unchanged.
        </li>
        <li>
          Start NSTP Portal and sign in again, with the password from the time of the backup. Records added
          after the backup are not in it.
        </li>
        <li>
          On a new machine, also copy the secret key (<Command>SECRET_KEY</Command>, or the file{' '}
          <Command>secret.key</Command> in the data folder). Otherwise two-factor sign-in and the password of
          the mail account must be set up again. Who unsubscribed or was erased is known without it.
        </li>
      </ol>
    </details>
  )
}

function Command({ children }: { children: string }) {
  return <code className="rounded bg-soft px-1 py-0.5 font-mono">{children}</code>
}

type BackupState =
  | { kind: 'idle' }
  | { kind: 'running'; bytes: number }
  | { kind: 'done'; bytes: number; generated: string | null }
  | { kind: 'failed'; sentence: string }

const brokenOff =
  'The backup was interrupted and no file was saved. Please check your connection and try again.'

function useBackup() {
  const [state, setState] = useState<BackupState>({ kind: 'idle' })

  async function start(chosen: string): Promise<boolean> {
    const generated = chosen === '' ? generatePassword() : null
    let bytes = 0
    const show = (arrived: number) => {
      bytes = arrived
      setState({ kind: 'running', bytes })
    }
    show(0)
    try {
      const response = await api.backup.$post({ json: { passphrase: generated ?? chosen } })
      await saveDownload(response, 'NSTP Portal backup.nstp', show)
      setState({ kind: 'done', bytes, generated })
      return true
    } catch (error) {
      // Any other error is an interrupted download.
      setState({ kind: 'failed', sentence: error instanceof ApiProblem ? error.message : brokenOff })
      return false
    }
  }

  /** Forgets only the passphrase: what was saved, and where, stays. */
  const forget = () => setState((now) => (now.kind === 'done' ? { ...now, generated: null } : now))

  return { state, start, forget }
}
