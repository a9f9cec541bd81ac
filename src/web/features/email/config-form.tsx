import { type ReactNode, useState } from 'react'
import type { MailAccount } from '#shared/mail.ts'
import { Button } from '#web/components/button.tsx'
import { FormFailure } from '#web/components/form-failure.tsx'
import { useHeldSession } from '#web/components/held-session.ts'
import { UnsavedPrompt } from '#web/components/unsaved-prompt.tsx'
import { tabOf } from '#web/lib/admin-tab.ts'
import { useContentForm } from '#web/lib/content-form.ts'
import { useUnsavedGuard } from '#web/lib/unsaved-guard.ts'
import { AdvancedFields, ConfigFields } from './config-fields.tsx'
import { ConfigPresets } from './config-presets.tsx'
import { type ConfigDefaults, initialConfig, problemsOfConfig } from './config-values.ts'
import { saveConfig } from './save-config.ts'

interface ConfigFormProps {
  account: MailAccount | null
  defaults: ConfigDefaults
  /** Whether the stored password can be used. */
  hasPassword: boolean
  onSaved: (account: MailAccount) => void
  /** Begins again with the configuration of now, after somebody else's change. */
  onStartOver: () => void
  /** Beside the button. */
  children?: ReactNode
}

const advanced = ['userName', 'imapHost', 'imapPort']

/** The form of the mail account. What is typed stays until the mail server has accepted it. */
export function ConfigForm({
  account,
  defaults,
  hasPassword,
  onSaved,
  onStartOver,
  children,
}: ConfigFormProps) {
  const stored = hasPassword ? account : null
  const form = useContentForm({
    initial: initialConfig(account, defaults),
    problemsOf: (values) => problemsOfConfig(values, stored),
    send: (values) => ({ done: saveConfig(values, account?.version ?? null), cancel: () => undefined }),
    onSaved: ({ account: saved }) => onSaved(saved),
  })
  const { values, change, errorOf, phase, failure } = form
  const isTesting = phase === 'sending'
  const mustOpen = form.errors.some(({ path }) => advanced.includes(path))
  const [isOpen, setOpen] = useState(account?.userName !== undefined && account.userName !== '')
  useHeldSession(form.isDirty)

  return (
    <form
      noValidate
      aria-label="Email configuration"
      onSubmit={(event) => void form.submit(event)}
      className="flex flex-col gap-4"
    >
      {failure && (
        <div className="flex flex-col gap-2">
          <FormFailure message={failure.sentence} />
          {failure.isConflict && (
            <Button variant="outline" size="sm" className="self-start" onClick={onStartOver}>
              Show the configuration of now
            </Button>
          )}
        </div>
      )}
      <ConfigPresets values={values} onChoose={change} />
      <ConfigFields values={values} keepsPassword={stored !== null} change={change} errorOf={errorOf} />
      <details open={isOpen || mustOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="min-h-9 cursor-pointer py-2 text-sm font-semibold max-md:min-h-11">
          User name and returned mail
        </summary>
        <div className="pt-2">
          <AdvancedFields values={values} change={change} errorOf={errorOf} />
        </div>
      </details>
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" size="sm" className="max-md:min-h-11" aria-disabled={isTesting}>
          {isTesting ? 'Testing…' : 'Test and save'}
        </Button>
        {children}
      </div>
      <p role="status" className="text-sm text-muted empty:hidden">
        {isTesting && `Signing in at ${values.host}. This takes up to half a minute.`}
      </p>
      {form.isDirty && <LeaveGuard />}
    </form>
  )
}

/** Mounted only while something is unsaved: the pane below may have a guard of its own. */
function LeaveGuard() {
  const guard = useUnsavedGuard(
    true,
    ({ pathname, search }) => pathname === '/admin' && tabOf(search) === 'email',
  )
  return (
    <UnsavedPrompt
      what="in the e-mail configuration"
      open={guard.isAsking}
      onDiscard={guard.discard}
      onKeep={guard.keep}
    />
  )
}
