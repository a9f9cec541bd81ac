import { useState } from 'react'
import { passwordMessages } from '#shared/auth/account.ts'
import { api } from '#web/lib/api.ts'
import { isAbout } from '#web/lib/api-problem.ts'
import { Button } from './button.tsx'
import { TextField } from './field.tsx'
import { Form, useEditForm } from './form.tsx'
import { Modal } from './modal.tsx'
import { PasswordField } from './password-field.tsx'

type Answer = (isProven: boolean) => void

/** Security: protects an unattended screen. The request that was refused is repeated after it. */
export function ProofDialog({ open, onClose }: { open: boolean; onClose: Answer }) {
  return (
    <Modal open={open} onClose={() => onClose(false)} title="Enter your password" size="sm">
      <ProofForm onClose={onClose} />
    </Modal>
  )
}

function ProofForm({ onClose }: { onClose: Answer }) {
  const [asksCode, setAsksCode] = useState(false)
  const form = useEditForm({
    values: { password: '', code: '' },
    problemsOf: ({ password }) =>
      password === '' ? [{ path: 'password', message: passwordMessages.currentRequired }] : [],
    async send({ password, code }) {
      try {
        await api.session.proof.$post({ json: { password, ...(code && { code }) } })
      } catch (error) {
        if (isAbout(error, 'code')) setAsksCode(true)
        throw error
      }
    },
    onSaved: () => onClose(true),
  })
  return (
    <Form form={form} isGuarded={false}>
      <p>
        For security, please enter your password again. Powerful actions ask for it, and so does opening many
        records within an hour.
      </p>
      <PasswordField {...form.field('password')} label="Your password" autoComplete="current-password" />
      {asksCode && (
        <TextField
          {...form.field('code')}
          label="Authentication code"
          autoComplete="one-time-code"
          required
        />
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" aria-disabled={form.phase === 'sending'}>
          Continue
        </Button>
        <Button variant="outline" onClick={() => onClose(false)}>
          Cancel
        </Button>
      </div>
    </Form>
  )
}
