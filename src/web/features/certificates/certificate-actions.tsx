import { Ban, FilePlus2, Files, Printer } from 'lucide-react'
import { useState } from 'react'
import {
  certificateLimits,
  certificateRevokeSchema,
  reissueSchema,
} from '#shared/certificates/certificates.ts'
import type { ListedCertificate } from '#shared/certificates/certificates-response.ts'
import { useActionWithToast } from '#web/components/action-toast.ts'
import { TextField } from '#web/components/field.tsx'
import { Form, problemsOfSchema } from '#web/components/form.tsx'
import { FormFoot } from '#web/components/form-foot.tsx'
import { type MenuEntry, RowMenu } from '#web/components/menu.tsx'
import { ModalOf } from '#web/components/modal.tsx'
import { ReasonForm } from '#web/components/reason-form.tsx'
import { useOfficeForm } from '#web/components/record-form.ts'
import { api, callApi } from '#web/lib/api.ts'
import { useToday } from '#web/lib/date-texts.ts'

type Question = 'reissue' | 'revoke'

interface CertificateActionsProps {
  certificate: ListedCertificate
  onPrint: (id: string) => void
  /** All that were issued with it. */
  onPrintBatch?: (batchId: string) => void
}

/** What can be done with a valid certificate. */
export function CertificateActions({ certificate, onPrint, onPrintBatch }: CertificateActionsProps) {
  const { id, batchId, number, state } = certificate
  const [question, setQuestion] = useState<Question | null>(null)
  const close = () => setQuestion(null)
  if (state === 'revoked') return null
  const revoke: MenuEntry = {
    label: 'Revoke…',
    icon: Ban,
    danger: true,
    onSelect: () => setQuestion('revoke'),
  }
  // A print would leave it out.
  const isHeldBack = state === 'unconfirmed'
  const printAgain: MenuEntry = { label: 'Print again', icon: Printer, onSelect: () => onPrint(id) }
  const entries: MenuEntry[] =
    state === 'erased'
      ? [revoke]
      : [
          ...(isHeldBack ? [] : [printAgain]),
          ...(onPrintBatch
            ? [{ label: 'Print all issued with it', icon: Files, onSelect: () => onPrintBatch(batchId) }]
            : []),
          { label: 'Issue anew…', icon: FilePlus2, onSelect: () => setQuestion('reissue') },
          revoke,
        ]
  return (
    <>
      <RowMenu of={number} entries={entries} />
      <ModalOf
        thing={question}
        onClose={close}
        size="sm"
        title={(question) => (question === 'revoke' ? `Revoke ${number}` : `Issue ${number} anew`)}
      >
        {(question) =>
          question === 'revoke' ? (
            <RevokeForm certificate={certificate} onClose={close} />
          ) : (
            <ReissueForm certificate={certificate} onPrint={onPrint} onClose={close} />
          )
        }
      </ModalOf>
    </>
  )
}

interface FormProps {
  certificate: ListedCertificate
  onClose: () => void
}

function RevokeForm({ certificate: { id, number }, onClose }: FormProps) {
  const action = useActionWithToast({
    topics: ['certificates'],
    mutationFn: (reason: string) =>
      callApi(api.certificates[':id'].revoke.$post({ param: { id }, json: { reason } })),
    done: `${number} is revoked`,
    onDone: onClose,
  })
  return (
    <ReasonForm
      action={action}
      problemOf={(reason) => problemsOfSchema(certificateRevokeSchema, { reason })[0]?.message}
      maxLength={certificateLimits.reason}
      label="Revoke"
      isDangerous
      onCancel={onClose}
    >
      Whoever verifies its code reads that it was revoked. It stays in the list, with the reason.
    </ReasonForm>
  )
}

interface ReissueFormProps extends FormProps {
  onPrint: (id: string) => void
}

function ReissueForm({ certificate: { id, number }, onPrint, onClose }: ReissueFormProps) {
  const form = useOfficeForm({
    topics: ['certificates'],
    values: { issuedOn: useToday() },
    controlId: () => 'reissued-on',
    problemsOf: (values) => problemsOfSchema(reissueSchema, values),
    send: (json) => callApi(api.certificates[':id'].reissue.$post({ param: { id }, json })),
    done: (given) => `${given.number} is issued instead of ${number}`,
    onDone(given) {
      onClose()
      onPrint(given.id)
    },
  })
  return (
    <Form form={form} isGuarded={false}>
      <p>
        {number} is revoked, and one with the name and serial number of today’s record is issued and printed.
      </p>
      <TextField {...form.field('issuedOn')} type="date" label="Day of issue" required />
      <FormFoot form={form} label="Issue and print" busyLabel="Issuing…" onCancel={onClose} />
    </Form>
  )
}
