import { useState } from 'react'
import type { MailAccount, MailServiceStatus } from '#shared/mail.ts'
import { mailSentences } from '#shared/mail.ts'
import { showToast } from '#web/components/toaster.tsx'
import { ConfigForm } from './config-form.tsx'
import { ConfigRemoval } from './config-removal.tsx'
import type { ConfigDefaults } from './config-values.ts'

interface ConfigPanelProps {
  /** Null while e-mail is not configured. */
  account: MailAccount | null
  defaults: ConfigDefaults
  status: MailServiceStatus
  /** Reads the tab's data again. */
  onChange: () => void
}

/** The configuration panel (spec §2): which account mail is sent by, tried before it is kept. */
export function ConfigPanel({ account, defaults, status, onChange }: ConfigPanelProps) {
  // The form begins with what it was given; what is read meanwhile must not take away what is typed.
  const [held, setHeld] = useState({ account, turn: 0 })
  const startFrom = (next: MailAccount | null) => setHeld({ account: next, turn: held.turn + 1 })

  return (
    <section
      aria-labelledby="email-configuration"
      className="rounded-box border bg-card p-4 shadow-card sm:p-5"
    >
      <h2 id="email-configuration" className="text-lg font-semibold">
        Email Configuration
      </h2>
      <p className="mt-1 mb-4 text-sm text-muted">
        The account that every e-mail is sent by. It is signed in at its server before it is kept.
      </p>
      <ConfigForm
        key={held.turn}
        account={held.account}
        defaults={defaults}
        hasPassword={held.account !== null && status.isConfigured}
        onSaved={(saved) => {
          startFrom(saved)
          showToast({ type: 'success', message: mailSentences.configured })
          onChange()
        }}
        onStartOver={() => startFrom(account)}
      >
        {held.account && (
          <ConfigRemoval
            account={held.account}
            onRemoved={() => {
              startFrom(null)
              onChange()
            }}
          />
        )}
      </ConfigForm>
    </section>
  )
}
