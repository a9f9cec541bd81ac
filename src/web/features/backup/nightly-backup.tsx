import { HardDriveDownload, TriangleAlert } from 'lucide-react'
import { useRef, useState } from 'react'
import { generatePassword } from '#shared/auth/generated-password.ts'
import { minPassphraseLength, nightlyBackupSchema, nightsKept } from '#shared/backup/backup.ts'
import type { NightlyBackup } from '#shared/backup/backup-response.ts'
import type { FieldError } from '#shared/problem.ts'
import { useActionWithToast } from '#web/components/action-toast.ts'
import { SmallButton } from '#web/components/button.tsx'
import { TextField } from '#web/components/field.tsx'
import { Form, problemsOfSchema } from '#web/components/form.tsx'
import { SubmitButton } from '#web/components/form-foot.tsx'
import { Hint } from '#web/components/hint.tsx'
import { PasswordField } from '#web/components/password-field.tsx'
import { useRecordForm } from '#web/components/record-form.ts'
import { ShownOnce } from '#web/components/shown-once.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi, ifMatch } from '#web/lib/api.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { countOf, sizeText } from '#web/lib/number-texts.ts'

interface Values {
  folder: string
  passphrase: string
}

const valuesOf = ({ folder }: NightlyBackup): Values => ({ folder, passphrase: '' })

/** Empty texts are left out. */
function changeOf({ folder, passphrase }: Values) {
  const path = folder.trim()
  return path === '' || passphrase === '' ? { folder: path } : { folder: path, passphrase }
}

const problemsOf = (values: Values): FieldError[] => problemsOfSchema(nightlyBackupSchema, changeOf(values))

export function NightlyBackupSection({ nightly }: { nightly: NightlyBackup }) {
  const [generated, setGenerated] = useState<string | null>(null)
  // The same is sent again until it was shown: the answer may be lost after the server has stored it.
  const unshown = useRef<string | null>(null)
  const { hasPassphrase } = nightly
  const form = useRecordForm<NightlyBackup, Values, string | null>({
    topics: ['settings'],
    stored: nightly,
    what: 'nightly backup',
    labels,
    valuesOf,
    read: async () => (await callApi(api.backup.$get())).nightly,
    problemsOf,
    whatFailed: 'Not saved',
    // The form above has a passphrase too.
    controlId: (path) => `nightly-${path}`,
    async send(values, { version }) {
      const isBlank = values.passphrase === '' && values.folder.trim() !== ''
      if (isBlank && !hasPassphrase) unshown.current ??= generatePassword()
      const own = isBlank ? unshown.current : null
      const json = changeOf({ ...values, passphrase: own ?? values.passphrase })
      await callApi(api.backup.nightly.$put({ json, header: ifMatch(version) }))
      return own
    },
    done: 'Nightly backup updated successfully',
    onDone(own) {
      if (own !== null) setGenerated(own)
      unshown.current = null
    },
  })

  return (
    <section aria-labelledby="nightly-backup" className="grid gap-4 border-t pt-4">
      <div className="grid gap-1">
        <h3 id="nightly-backup" className="font-semibold">
          Nightly backup
        </h3>
        <Hint>
          Every night after two, the server writes one encrypted file to the folder below. The files of{' '}
          {nightsKept} days are kept.
        </Hint>
      </div>
      <LastNight nightly={nightly} isDirty={form.isDirty} />
      <Form form={form} label="Nightly backup" isGuarded={false}>
        <TextField
          {...form.field('folder')}
          label={labels.folder}
          hint="The whole path, on another disk or another machine’s share: a copy on the same disk is lost with it. Leave blank to turn it off."
          placeholder="/mnt/backup/nstp"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <PasswordField
          name="nightly-passphrase"
          label={labels.passphrase}
          required={false}
          autoComplete="new-password"
          hint={
            hasPassphrase
              ? 'Leave blank to keep the one that is set. Earlier files still open only with theirs.'
              : `At least ${minPassphraseLength} characters, or leave blank and we’ll generate one, shown once.`
          }
          value={form.values.passphrase}
          error={form.errorOf('passphrase')}
          onChange={({ target }) => form.set('passphrase', target.value)}
        />
        <Hint>
          Store the passphrase away from this machine: without it, no file opens. Each file keeps who
          unsubscribed and who was erased. Keep the secret key too, apart from the files; without it,
          two-factor sign-in and the password of the mail account are set up again after a restore.
        </Hint>
        <SubmitButton form={form} size="sm" label="Save" isIdle={!form.isDirty} />
      </Form>
      {generated !== null && (
        <ShownOnce
          title="Recovery passphrase of the nightly backups"
          hint="Write it down now: it is shown only once, and without it none of these backups can be opened."
          what="Passphrase"
          secret={generated}
          onDone={() => setGenerated(null)}
        />
      )}
    </section>
  )
}

const labels = {
  folder: 'Folder on the server',
  passphrase: 'Passphrase of the nightly files (optional)',
} as const

function LastNight({ nightly, isDirty }: { nightly: NightlyBackup; isDirty: boolean }) {
  const { momentOf } = useInstantTexts()
  const { run, isPending } = useActionWithToast({
    topics: ['settings'],
    mutationFn: () => callApi(api.backup.nightly.$post()),
    onDone({ isRunning, problem }) {
      if (isRunning) showToast('info', 'The backup is large. It is still being written.')
      else if (problem === null) showToast('success', 'Backup written')
    },
    saysFailure: true,
  })
  const { folder, madeAt, bytes, kept, problem } = nightly
  if (folder === '') return <p className="text-sm font-medium">It is off.</p>
  return (
    <div className="grid justify-items-start gap-2">
      <p>
        {madeAt === null ? (
          'No nightly backup in this folder yet.'
        ) : (
          <>
            Last nightly backup: <span className="font-semibold">{momentOf(madeAt)}</span>
            {bytes !== null && `, ${sizeText(bytes)}`}
            {kept !== null && problem === null && `, ${countOf(kept, 'file')} in the folder`}
          </>
        )}
      </p>
      <div role="alert">
        {problem !== null && (
          <p className="flex items-start gap-2 font-medium text-warning">
            <TriangleAlert className="mt-0.5 size-5 shrink-0" />
            <span className="min-w-0 wrap-anywhere">{problem}</span>
          </p>
        )}
      </div>
      <SmallButton
        icon={HardDriveDownload}
        aria-disabled={isDirty || isPending}
        onClick={() => isDirty || run()}
      >
        {isPending ? 'Backing up…' : 'Back up now'}
      </SmallButton>
    </div>
  )
}
