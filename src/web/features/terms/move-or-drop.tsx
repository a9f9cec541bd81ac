import { useRef, useState } from 'react'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { type NstpComponent, nstpComponents } from '#shared/students/student-choices.ts'
import { studentName } from '#shared/students/student-name.ts'
import { enrolmentLimits, enrolmentMessages } from '#shared/terms/enrolments.ts'
import type { EnrolmentItem } from '#shared/terms/enrolments-response.ts'
import { type Level, levels, sectionLabel } from '#shared/terms/terms.ts'
import type { Section, Term } from '#shared/terms/terms-response.ts'
import { ChoiceButtons } from '#web/components/choice-buttons.tsx'
import { SelectField, TextField } from '#web/components/field.tsx'
import { ActionForm } from '#web/components/form-foot.tsx'
import { ModalOf } from '#web/components/modal.tsx'
import { useAccount } from '#web/lib/account.ts'
import { api, callApi, slowApi } from '#web/lib/api.ts'
import { useProgramTimeZone } from '#web/lib/date-texts.ts'
import { useLevelNames } from '#web/lib/level-names.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { useAction } from '#web/lib/query.ts'
import { keyFor, type SendingKey } from '#web/lib/sending-key.ts'
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
      {(shown) => shown[0] && <MoveOrDrop first={shown[0]} enrolments={shown} {...props} />}
    </ModalOf>
  )
}

type MoveOrDropFormProps = MoveOrDropProps & {
  enrolments: readonly ChangedEnrolment[]
  first: ChangedEnrolment
}

type What = 'move' | 'drop'

function MoveOrDrop({ sections, enrolments, first, onDone, onClose }: MoveOrDropFormProps) {
  const today = calendarDateOf(new Date(), useProgramTimeZone())
  const showDone = useBatchToast()
  const { cellName } = useLevelNames()
  const [what, setWhat] = useState<What>('move')
  const [cell, setCell] = useState({ component: first.component, level: first.level })
  const [sectionId, setSectionId] = useState('')
  const [on, setOn] = useState(today)
  const [reason, setReason] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  const isDayMissing = on === ''
  const { id, version } = first
  const isSameCell = cell.component === first.component && cell.level === first.level
  const open = sections.filter((one) => one.component === cell.component && one.level === cell.level)
  const section = open.find((one) => one.id === sectionId) ?? null
  const whom = countOf(enrolments.length, 'student')
  const ids = enrolments.map((one) => one.id)
  const place = { sectionId: section?.id ?? null, reason }

  const lastKey = useRef<SendingKey>(null)
  const headerFor = (json: unknown) => {
    lastKey.current = keyFor([what, json], lastKey.current)
    return { 'idempotency-key': lastKey.current.key }
  }

  const action = useAction({
    topics: ['terms', 'students'],
    async mutationFn() {
      if (what === 'drop') {
        const json = { ids, on, reason }
        const { batchId } = await callApi(slowApi.enrolments.drop.$post({ header: headerFor(json), json }))
        return { batchId, message: `${whom} dropped` }
      }
      const json = { ids, ...place }
      const { batchId } = isSameCell
        ? await callApi(slowApi.enrolments.section.$post({ header: headerFor(json), json }))
        : await callApi(
            api.enrolments[':id'].move.$post({
              param: { id },
              header: { 'if-match': `"${version}"` },
              json: { ...cell, ...place, on },
            }),
          )
      return { batchId, message: `${whom} moved to ${section ? sectionLabel(section) : cellName(cell)}` }
    },
    onSuccess({ batchId, message }) {
      showDone(message, batchId)
      onDone?.()
      onClose()
    },
  })

  return (
    <ActionForm
      action={action}
      label={`${what === 'move' ? 'Move' : 'Drop'} ${whom}`}
      onCancel={onClose}
      onSubmit={() => {
        setSubmitted(true)
        if (!isDayMissing) action.run()
      }}
    >
      <ChoiceButtons
        legend="What is done"
        choices={[
          { value: 'move', label: 'Move' },
          { value: 'drop', label: 'Drop' },
        ]}
        selected={what}
        onSelect={setWhat}
      />
      {what === 'move' && (
        <>
          <SelectField
            name="move-section"
            label="To"
            placeholder="No section"
            options={open.map((one) => ({ value: one.id, label: placesText(one) }))}
            value={section?.id ?? ''}
            onChange={({ target }) => setSectionId(target.value)}
          />
          {enrolments.length === 1 && <OtherCell cell={cell} onChange={setCell} />}
        </>
      )}
      {(what === 'drop' || !isSameCell) && (
        <TextField
          name="move-on"
          type="date"
          label="From day"
          required
          error={isSubmitted && isDayMissing ? enrolmentMessages.on : undefined}
          value={on}
          onChange={({ target }) => setOn(target.value)}
        />
      )}
      <TextField
        name="move-reason"
        label="Reason"
        maxLength={enrolmentLimits.reason}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
      <p className="text-sm text-muted">Marks stay with the enrollment where they were earned.</p>
    </ActionForm>
  )
}

/** 'Alpha · 4 free' */
export function placesText(section: Section): string {
  const free = section.capacity - section.students
  return `${sectionLabel(section)} · ${free > 0 ? `${figureText(free)} free` : 'full'}`
}

interface OtherCellProps {
  cell: { component: NstpComponent; level: Level }
  onChange: (cell: OtherCellProps['cell']) => void
}

/** One student alone: the component of the record follows. */
function OtherCell({ cell, onChange }: OtherCellProps) {
  const { levelName } = useLevelNames()
  const { includes } = useAccount()
  return (
    <details className="rounded-box border px-4 py-2">
      <summary className="min-h-7 cursor-pointer text-sm font-semibold max-md:min-h-11">
        To another component or level
      </summary>
      <div className="grid gap-4 py-3 sm:grid-cols-2">
        <SelectField
          name="move-component"
          label="Component"
          options={nstpComponents.filter(includes)}
          value={cell.component}
          onChange={({ target }) => {
            const component = nstpComponents.find((one) => one === target.value)
            if (component) onChange({ ...cell, component })
          }}
        />
        <SelectField
          name="move-level"
          label="Level"
          options={levels.map((level) => ({
            value: String(level),
            label: levelName(cell.component, level),
          }))}
          value={String(cell.level)}
          onChange={({ target }) => onChange({ ...cell, level: target.value === '1' ? 1 : 2 })}
        />
        <p className="text-sm text-muted sm:col-span-2">
          The component of the record changes too. A new enrollment takes the place of this one.
        </p>
      </div>
    </details>
  )
}
