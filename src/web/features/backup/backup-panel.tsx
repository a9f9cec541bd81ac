import { Download, TriangleAlert } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { type BackupStatus, minPassphraseLength } from '#shared/backup.ts'
import { Button } from '#web/components/button.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { PasswordField } from '#web/components/password-field.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import { useInstantTexts } from '#web/lib/instant-texts.ts'
import { usePresent } from '#web/lib/relative-time.ts'
import { sizeText } from '#web/lib/size-text.ts'
import { ageWarning } from './backup-texts.ts'
import { RestoreHelp } from './restore-help.tsx'
import { type BackupState, useBackup } from './use-backup.ts'

interface BackupPanelProps {
  /** Null while it is being read. */
  status: BackupStatus | null
  /** Called when there is a new backup. */
  onMade: () => void
}

const empty = { passphrase: '', repeated: '' }
type Values = typeof empty

/** Making a backup, of the system settings: everything in one file, saved on this computer. */
export function BackupPanel({ status, onMade }: BackupPanelProps) {
  const [values, setValues] = useState(empty)
  const [fault, setFault] = useState<{ path: keyof Values; message: string } | null>(null)
  const { state, start } = useBackup()
  const isRunning = state.kind === 'running'

  async function onSubmit(event: FormEvent) {
    event.preventDefault()
    if (isRunning) return
    const found = faultOf(values)
    setFault(found)
    if (found) return document.getElementById(found.path)?.focus()
    const isMade = await start(values.passphrase || undefined)
    if (!isMade) return
    setValues(empty)
    onMade()
  }

  const field = (name: keyof Values) => ({
    name,
    value: values[name],
    error: fault?.path === name ? fault.message : undefined,
    required: false,
    autoComplete: 'new-password',
    onChange: ({ target }: { target: HTMLInputElement }) => setValues({ ...values, [name]: target.value }),
  })

  return (
    <div className="grid gap-4">
      <LastBackup status={status} />
      <form onSubmit={(event) => void onSubmit(event)} noValidate className="grid gap-4">
        <p className="text-sm text-muted">
          One file with every record, file and setting and the audit trail, as of this moment. Keep it on
          another machine: it is what brings everything back when this one is lost.
        </p>
        <div className="grid gap-4 sm:grid-cols-2">
          <PasswordField {...field('passphrase')} label="Passphrase (optional)" />
          <PasswordField {...field('repeated')} label="Passphrase, again" />
        </div>
        <p className="text-sm text-muted">
          With a passphrase of {minPassphraseLength} characters and more, such as four words that have nothing
          to do with each other, the file is encrypted. Keep it apart from the file: without it nobody can
          open the file, not even you. Without one, whoever has the file can read every record.
        </p>
        <div>
          <Button
            type="submit"
            aria-disabled={isRunning}
            icon={<Download aria-hidden="true" className="size-5" />}
          >
            Create Backup
          </Button>
        </div>
      </form>
      <Outcome state={state} />
      <RestoreHelp />
    </div>
  )
}

function LastBackup({ status }: Pick<BackupPanelProps, 'status'>) {
  const { momentOf } = useInstantTexts()
  const now = usePresent(status)
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
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
          {warning}
        </p>
      )}
    </div>
  )
}

/** The bytes are counted before one's eyes, but read out only as a state. */
function Outcome({ state }: { state: BackupState }) {
  if (state.kind === 'failed') return <ErrorBanner message={state.sentence} />
  return (
    <div>
      <p role="status" className={state.kind === 'done' ? 'font-medium text-success' : ''}>
        {state.kind === 'running' && 'Making the backup. Please leave this page open.'}
        {state.kind === 'done' &&
          `The backup was saved with your downloads (${sizeText(state.bytes)}). Move it to a safe place.`}
      </p>
      {state.kind === 'running' && (
        <p aria-hidden="true" className="mt-1 text-sm text-muted tabular-nums">
          {sizeText(state.bytes)} received
        </p>
      )}
    </div>
  )
}

function faultOf({ passphrase, repeated }: Values): { path: keyof Values; message: string } | null {
  if (passphrase === '' && repeated === '') return null
  if (passphrase.length < minPassphraseLength) {
    return {
      path: 'passphrase',
      message: `The passphrase must have at least ${minPassphraseLength} characters.`,
    }
  }
  return passphrase === repeated ? null : { path: 'repeated', message: 'The two passphrases differ.' }
}
