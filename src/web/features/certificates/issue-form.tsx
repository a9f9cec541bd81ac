import { useState } from 'react'
import {
  type CertificateKind,
  certificateLimits,
  leftOutSentence,
  newCertificatesSchema,
  type Signatory,
} from '#shared/certificates/certificates.ts'
import type { PrintedCertificate } from '#shared/certificates/certificates-response.ts'
import { TextField } from '#web/components/field.tsx'
import { problemsOfSchema } from '#web/components/form.tsx'
import { ActionForm } from '#web/components/form-foot.tsx'
import { ModalOf } from '#web/components/modal.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { callApi, slowApi } from '#web/lib/api.ts'
import { useToday } from '#web/lib/date-texts.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { useAction } from '#web/lib/query.ts'
import { useSendingKey } from '#web/lib/sending-key.ts'
import { useSettings } from '#web/lib/settings.tsx'
import { CertificatePaper } from './certificate-paper.tsx'

/** The certificates to issue, and the students who get them. */
export interface Issued {
  kind: CertificateKind
  academicYear: string
  withoutSerial: boolean
  students: readonly string[]
  /** The first of them, for the preview. */
  example: Omit<PrintedCertificate, 'id' | 'number' | 'code' | 'kind' | 'issuedOn' | 'signatories'>
}

interface IssueModalProps {
  issued: Issued | null
  onPrint: (batchId: string) => void
  onClose: () => void
}

/** The typed values that stay the same for the next 500 certificates. */
interface Typed {
  issuedOn: string
  signing: readonly Signatory[]
}

export function IssueModal({ issued, ...props }: IssueModalProps) {
  const today = useToday()
  const own = useSettings().signatories.filter(({ signs }) => signs !== 'papers')
  const [typed, setTyped] = useState<Typed>({
    issuedOn: today,
    signing: [...own.map(({ name, title }) => ({ name, title })), ...blanks].slice(0, blanks.length),
  })
  return (
    <ModalOf
      thing={issued}
      onClose={props.onClose}
      size="lg"
      title={({ kind, students }) =>
        `Issue ${countOf(students.length, kind === 'certification' ? 'certification' : 'certificate')}`
      }
    >
      {(issued) => <IssueForm issued={issued} typed={typed} setTyped={setTyped} {...props} />}
    </ModalOf>
  )
}

const blanks: readonly Signatory[] = Array(certificateLimits.signatories).fill({ name: '', title: '' })

const isFilled = ({ name, title }: Signatory) => name.trim() + title.trim() !== ''

interface IssueFormProps extends Omit<IssueModalProps, 'issued'> {
  issued: Issued
  typed: Typed
  setTyped: (typed: Typed) => void
}

function IssueForm({ issued, typed, setTyped, onPrint, onClose }: IssueFormProps) {
  const { kind, academicYear, withoutSerial, students, example } = issued
  const { issuedOn, signing } = typed
  const [isSubmitted, setSubmitted] = useState(false)
  const signatories = signing.filter(isFilled)
  const sent = { kind, academicYear, withoutSerial, students: [...students], issuedOn, signatories }
  const problems = problemsOfSchema(newCertificatesSchema, sent)
  const { headerFor } = useSendingKey()
  const action = useAction({
    topics: ['certificates'],
    mutationFn: () => callApi(slowApi.certificates.$post({ json: sent, header: headerFor(sent) })),
    onSuccess({ batchId, count, leftOut }) {
      const others = leftOut.reduce((sum, one) => sum + one.count, 0)
      const have = students.length - count - others
      if (others > 0) showToast('warning', leftOutSentence(leftOut, students.length), { shownMs: null })
      if (have > 0) showToast('warning', `${countOf(have, 'student')} had a certificate already.`)
      if (count > 0) {
        showToast('success', `${countOf(count, 'certificate')} issued`)
        onPrint(batchId)
      }
      onClose()
    },
  })
  const set = (place: number, change: Partial<Signatory>) =>
    setTyped({
      issuedOn,
      signing: signing.map((one, index) => (index === place ? { ...one, ...change } : one)),
    })
  // Blank lines aren't sent.
  const sentPlace = (place: number) => signing.slice(0, place).filter(isFilled).length
  const problemAt = (path: string) =>
    isSubmitted ? problems.find((problem) => problem.path === path)?.message : undefined
  return (
    <ActionForm
      action={action}
      label={`Issue and print ${students.length.toLocaleString('en-US')}`}
      busyLabel="Issuing…"
      onCancel={onClose}
      onSubmit={() => {
        setSubmitted(true)
        if (problems.length === 0) action.run()
      }}
    >
      <TextField
        name="issued-on"
        type="date"
        label="Day of issue"
        className="sm:w-60"
        hint="Such as the day of the ceremony. Its year is in the numbers."
        required
        error={problemAt('issuedOn')}
        value={issuedOn}
        onChange={({ target }) => setTyped({ issuedOn: target.value, signing })}
      />
      <fieldset className="grid gap-3">
        <legend className="mb-2 text-sm font-semibold">Who signs</legend>
        {signing.map(({ name, title }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never move
          <div key={place} className="grid gap-3 sm:grid-cols-2">
            <TextField
              name={`signatory-${place + 1}-name`}
              label={`Name ${place + 1}`}
              maxLength={certificateLimits.name}
              error={
                isFilled({ name, title }) ? problemAt(`signatories.${sentPlace(place)}.name`) : undefined
              }
              value={name}
              onChange={({ target }) => set(place, { name: target.value })}
            />
            <TextField
              name={`signatory-${place + 1}-title`}
              label={`Title ${place + 1}`}
              maxLength={certificateLimits.name}
              value={title}
              onChange={({ target }) => set(place, { title: target.value })}
            />
          </div>
        ))}
      </fieldset>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the box scrolls, so the keyboard must reach it
        tabIndex={0}
        aria-label="Preview of the first"
        className="certificate-preview max-h-96"
      >
        <CertificatePaper
          certificate={{ ...example, kind, issuedOn, signatories, number: 'NSTP-0000-000000', code: '' }}
          verifyAt={`${window.location.origin}/verify/`}
        />
      </section>
    </ActionForm>
  )
}
