import { nstpComponents } from '#shared/students/student-choices.ts'
import { studentName } from '#shared/students/student-name.ts'
import { enrolmentLimits, enrolmentMessages } from '#shared/terms/enrolments.ts'
import type { EnrolmentItem } from '#shared/terms/enrolments-response.ts'
import { sectionLabel } from '#shared/terms/terms.ts'
import type { Section, Term } from '#shared/terms/terms-response.ts'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { SelectField, TextField } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { FormFoot } from '#web/components/form-foot.tsx'
import { Hint } from '#web/components/hint.tsx'
import { ModalOf } from '#web/components/modal.tsx'
import { useOfficeForm } from '#web/components/record-form.ts'
import { useAccount } from '#web/lib/account.ts'
import { api, callApi, ifMatch, slowApi } from '#web/lib/api.ts'
import { useToday } from '#web/lib/date-texts.ts'
import { levelOf, useLevelNames } from '#web/lib/level-names.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { useSendingKey } from '#web/lib/sending-key.ts'
import { useBatchToast } from './batch-toast.ts'

/** The parts of an enrollment that the form needs. */
export type ChangedEnrolment = Pick<EnrolmentItem, 'id' | 'version' | 'component' | 'level' | 'section'> & {
  student: Pick<EnrolmentItem['student'], 'lastName' | 'firstName' | 'middleName' | 'extensionName'>
}

interface MoveOrDropProps {
  term: Pick<Term, 'id'>
  /** All sections of the term. */
  sections: readonly Section[]
  /** The enrolments of one component and level. Null closes the modal. */
  enrolments: readonly ChangedEnrolment[] | null
  onDone?: () => void
  onClose: () => void
}

export function MoveOrDropModal({ enrolments, ...props }: MoveOrDropProps) {
  return (
    <ModalOf
      thing={enrolments}
      onClose={props.onClose}
      size="sm"
      title={([first, ...others]) =>
        `Move or drop ${first && others.length === 0 ? studentName(first.student) : countOf(others.length + 1, 'student')}`
      }
    >
      {(enrolments) =>
        enrolments[0] && <MoveOrDrop first={enrolments[0]} enrolments={enrolments} {...props} />
      }
    </ModalOf>
  )
}

interface MoveOrDropValues extends Pick<ChangedEnrolment, 'component'> {
  what: 'move' | 'drop'
  level: string
  sectionId: string
  on: string
  reason: string
}

type MoveOrDropFormProps = MoveOrDropProps & {
  enrolments: readonly ChangedEnrolment[]
  first: ChangedEnrolment
}

function MoveOrDrop({ sections, enrolments, first, onDone, onClose }: MoveOrDropFormProps) {
  const showDone = useBatchToast()
  const { cellName, levelOptions } = useLevelNames()
  const { includes } = useAccount()
  const { id, version } = first
  const whom = countOf(enrolments.length, 'student')
  const ids = enrolments.map((one) => one.id)
  const { headerFor } = useSendingKey()
  function placeOf({ component, sectionId, ...values }: MoveOrDropValues) {
    const level = levelOf(values.level)
    const open = sections.filter((one) => one.component === component && one.level === level)
    const isSameCell = component === first.component && level === first.level
    return { level, open, isSameCell, section: open.find((one) => one.id === sectionId) }
  }
  const needsDay = (values: MoveOrDropValues) => values.what === 'drop' || !placeOf(values).isSameCell
  const form = useOfficeForm<MoveOrDropValues, { batchId: string; message: string }>({
    topics: ['terms', 'students'],
    values: {
      what: 'move',
      component: first.component,
      level: String(first.level),
      sectionId: '',
      on: useToday(),
      reason: '',
    },
    controlId: (path) => `move-${path}`,
    problemsOf: (values) =>
      needsDay(values) && values.on === '' ? [{ path: 'on', message: enrolmentMessages.on }] : [],
    async send(values) {
      const { what, component, on, reason } = values
      if (what === 'drop') {
        const json = { ids, on, reason }
        const { batchId } = await callApi(
          slowApi.enrolments.drop.$post({ header: headerFor([what, json]), json }),
        )
        return { batchId, message: `${whom} dropped` }
      }
      const { level, isSameCell, section } = placeOf(values)
      const place = { sectionId: section?.id ?? null, reason }
      const json = { ids, ...place }
      const { batchId } = isSameCell
        ? await callApi(slowApi.enrolments.section.$post({ header: headerFor([what, json]), json }))
        : await callApi(
            api.enrolments[':id'].move.$post({
              param: { id },
              header: ifMatch(version),
              json: { ...place, component, level, on },
            }),
          )
      const to = section ? sectionLabel(section) : cellName({ component, level })
      return { batchId, message: `${whom} moved to ${to}` }
    },
    onDone({ batchId, message }) {
      showDone(message, batchId)
      onDone?.()
      onClose()
    },
  })
  const { what, component } = form.values
  const { open, section } = placeOf(form.values)
  return (
    <Form form={form} isGuarded={false}>
      <ChoiceButtons
        legend="What is done"
        choices={[
          { value: 'move', label: 'Move' },
          { value: 'drop', label: 'Drop' },
        ]}
        selected={what}
        onSelect={(chosen) => form.set('what', chosen)}
      />
      {what === 'move' && (
        <OpenSectionField form={form} id="move-sectionId" label="To" {...{ open, section }} />
      )}
      {what === 'move' && enrolments.length === 1 && (
        <details className="rounded-box border px-4 py-2">
          <summary className="min-h-7 cursor-pointer text-sm font-semibold max-md:min-h-11">
            To another component or level
          </summary>
          <div className="grid gap-4 py-3 sm:grid-cols-2">
            <SelectField
              {...form.field('component')}
              label="Component"
              options={nstpComponents.filter(includes)}
            />
            <SelectField {...form.field('level')} label="Level" options={levelOptions(component)} />
            <Hint className="sm:col-span-2">
              The component of the record changes too. A new enrollment takes the place of this one.
            </Hint>
          </div>
        </details>
      )}
      {needsDay(form.values) && <TextField {...form.field('on')} type="date" label="From day" required />}
      <TextField {...form.field('reason')} label="Reason" maxLength={enrolmentLimits.reason} />
      <Hint>Marks stay with the enrollment where they were earned.</Hint>
      <FormFoot form={form} label={`${what === 'move' ? 'Move' : 'Drop'} ${whom}`} onCancel={onClose} />
    </Form>
  )
}

interface OpenSectionProps {
  form: { errorOf: (name: 'sectionId') => string | undefined; set: (name: 'sectionId', id: string) => void }
  id: string
  label: string
  /** The sections on offer, and the chosen one of them. */
  open: readonly Section[]
  section: Section | undefined
}

/** What is shown is what is sent, also when another level is chosen and then the first one again. */
export function OpenSectionField({ form, open, section, ...field }: OpenSectionProps) {
  return (
    <SelectField
      {...field}
      name="sectionId"
      placeholder="No section"
      options={open.map((one) => ({ value: one.id, label: placesText(one) }))}
      value={section?.id ?? ''}
      error={form.errorOf('sectionId')}
      onChange={({ target }) => form.set('sectionId', target.value)}
    />
  )
}

/** 'Alpha · 4 free' */
function placesText(section: Section): string {
  const free = section.capacity - section.students
  return `${sectionLabel(section)} · ${free > 0 ? `${figureText(free)} free` : 'full'}`
}
