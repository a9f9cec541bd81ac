import { Ban, FilePlus2, Files, Printer } from 'lucide-react'
import { useState } from 'react'
import {
  certificateLimits,
  certificateRevokeSchema,
  reissueSchema,
} from '#shared/certificates/certificates.ts'
import type { ListedCertificate } from '#shared/certificates/certificates-response.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { TextField } from '#web/components/field.tsx'
import { problemsOfSchema } from '#web/components/form.tsx'
import { ActionForm } from '#web/components/form-foot.tsx'
import { type MenuEntry, RowMenu } from '#web/components/menu.tsx'
import { ModalOf } from '#web/components/modal.tsx'
import { ReasonForm } from '#web/components/reason-form.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { useProgramTimeZone } from '#web/lib/date-texts.ts'
import { useAction } from '#web/lib/query.ts'

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
      <QuestionModal
        certificate={certificate}
        question={question}
        onPrint={onPrint}
        onClose={() => setQuestion(null)}
      />
    </>
  )
}

interface QuestionModalProps extends Omit<CertificateActionsProps, 'onPrintBatch'> {
  question: Question | null
  onClose: () => void
}

function QuestionModal({ question, ...props }: QuestionModalProps) {
  const { number } = props.certificate
  return (
    <ModalOf
      thing={question}
      onClose={props.onClose}
      size="sm"
      title={(asked) => (asked === 'revoke' ? `Revoke ${number}` : `Issue ${number} anew`)}
    >
      {(asked) => (asked === 'revoke' ? <RevokeForm {...props} /> : <ReissueForm {...props} />)}
    </ModalOf>
  )
}

type FormProps = Omit<QuestionModalProps, 'question'>

function RevokeForm({ certificate: { id, number }, onClose }: FormProps) {
  const action = useAction({
    topics: ['certificates'],
    mutationFn: (reason: string) =>
      callApi(api.certificates[':id'].revoke.$post({ param: { id }, json: { reason } })),
    onSuccess() {
      showToast({ type: 'success', message: `${number} is revoked` })
      onClose()
    },
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

function ReissueForm({ certificate: { id, number }, onPrint, onClose }: FormProps) {
  const [issuedOn, setIssuedOn] = useState(calendarDateOf(new Date(), useProgramTimeZone()))
  const [isSubmitted, setSubmitted] = useState(false)
  const [problem] = problemsOfSchema(reissueSchema, { issuedOn })
  const action = useAction({
    topics: ['certificates'],
    mutationFn: () => callApi(api.certificates[':id'].reissue.$post({ param: { id }, json: { issuedOn } })),
    onSuccess(given) {
      showToast({ type: 'success', message: `${given.number} is issued instead of ${number}` })
      onClose()
      onPrint(given.id)
    },
  })
  return (
    <ActionForm
      action={action}
      label="Issue and print"
      busyLabel="Issuing…"
      onCancel={onClose}
      onSubmit={() => {
        setSubmitted(true)
        if (!problem) action.run()
      }}
    >
      <p>
        {number} is revoked, and one with the name and serial number of today’s record is issued and printed.
      </p>
      <TextField
        name="reissued-on"
        type="date"
        label="Day of issue"
        required
        error={isSubmitted ? problem?.message : undefined}
        value={issuedOn}
        onChange={({ target }) => setIssuedOn(target.value)}
      />
    </ActionForm>
  )
}
