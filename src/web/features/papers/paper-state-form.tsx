import { type PaperStep, paperMessages, paperStateSchema } from '#shared/papers/papers.ts'
import type { Paper } from '#shared/papers/papers-response.ts'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { isHalfTyped, TextAreaField, TextField } from '#web/components/field.tsx'
import { Form, problemsOfSchema } from '#web/components/form.tsx'
import { FormFoot } from '#web/components/form-foot.tsx'
import { useOfficeForm } from '#web/components/record-form.ts'
import { api, callApi, ifMatch } from '#web/lib/api.ts'
import { useToday } from '#web/lib/date-texts.ts'
import { isFormClosed, papersAddress, stateNames } from './data.ts'

const answers = [
  { value: 'accepted', label: 'Accepted' },
  { value: 'returned', label: 'Returned' },
] as const

interface PaperStateFormProps {
  opened: 'send' | 'answer'
  paper: Paper
  onClose: () => void
}

/** For a paper that was sent, or what came back. */
export function PaperStateForm({ opened, paper, onClose }: PaperStateFormProps) {
  const today = useToday()
  const isSending = opened === 'send'
  const form = useOfficeForm<PaperStep, Paper>({
    topics: ['papers'],
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
          header: ifMatch(paper.version),
          json: paperStateSchema.parse(values),
        }),
      ),
    done: ({ title, state }) => `${title}: ${stateNames[state].toLowerCase()}`,
    onDone: onClose,
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
