import { type PaperStep, paperMessages, paperStateSchema } from '#shared/papers/papers.ts'
import type { Paper } from '#shared/papers/papers-response.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { isHalfTyped, TextAreaField, TextField } from '#web/components/field.tsx'
import { Form, problemsOfSchema, useEditForm } from '#web/components/form.tsx'
import { FormFoot } from '#web/components/form-foot.tsx'
import { ModalOf } from '#web/components/modal.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { useProgramTimeZone } from '#web/lib/date-texts.ts'
import { useReadAgain } from '#web/lib/query.ts'
import { isFormClosed, papersAddress, seenVersion, stateNames } from './data.ts'

interface PaperStateModalProps {
  opened: 'send' | 'answer' | null
  paper: Paper
  onClose: () => void
}

/** That a paper was sent, or what came back. */
export function PaperStateModal({ opened, ...props }: PaperStateModalProps) {
  return (
    <ModalOf
      thing={opened}
      onClose={props.onClose}
      size="sm"
      title={(shown) => (shown === 'send' ? 'Mark as sent' : 'Enter the answer')}
    >
      {(shown) => <PaperStateForm opened={shown} {...props} />}
    </ModalOf>
  )
}

const answers = [
  { value: 'accepted', label: 'Accepted' },
  { value: 'returned', label: 'Returned' },
] as const

function PaperStateForm({ opened, paper, onClose }: PaperStateModalProps & { opened: 'send' | 'answer' }) {
  const readAgain = useReadAgain('papers')
  const today = calendarDateOf(new Date(), useProgramTimeZone())
  const isSending = opened === 'send'
  const form = useEditForm<PaperStep, Paper>({
    values: {
      state: isSending ? 'sent' : 'accepted',
      on: today,
      how: '',
      reference: paper.agencyReference,
      note: '',
    },
    problemsOf: (values) => [
      ...problemsOfSchema(paperStateSchema, values),
      ...(isHalfTyped('on') ? [{ path: 'on', message: paperMessages.on }] : []),
      ...(values.on > today ? [{ path: 'on', message: paperMessages.onFuture }] : []),
    ],
    staysOpen: ({ search }) => papersAddress.read(search).open === opened,
    send: (values) =>
      callApi(
        api.papers[':id'].state.$post({
          param: { id: paper.id },
          header: seenVersion(paper),
          json: paperStateSchema.parse(values),
        }),
      ),
    onSaved({ title, state }) {
      void readAgain()
      showToast({ type: 'success', message: `${title}: ${stateNames[state].toLowerCase()}` })
      onClose()
    },
  })
  return (
    <Form form={form} closesTo={isFormClosed}>
      {!isSending && (
        <ChoiceButtons
          legend="Answer"
          choices={answers}
          selected={form.values.state === 'returned' ? 'returned' : 'accepted'}
          onSelect={(state) => form.set('state', state)}
        />
      )}
      <TextField {...form.field('on')} type="date" label={isSending ? 'Sent on' : 'Answered on'} required />
      {isSending && <TextField {...form.field('how')} label="How" placeholder="By hand, e-mail, portal" />}
      <TextField {...form.field('reference')} label="Reference of the agency" />
      {!isSending && <TextAreaField {...form.field('note')} label="What they wrote" rows={3} />}
      <FormFoot form={form} label="Save" onCancel={onClose} />
    </Form>
  )
}
