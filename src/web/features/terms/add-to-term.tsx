import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { calendarDateOf } from '#shared/program-calendar.ts'
import { studentName } from '#shared/students/student-name.ts'
import { enrolmentEntries, enrolmentLimits, enrolmentMessages } from '#shared/terms/enrolments.ts'
import type { ListedStudent } from '#shared/terms/enrolments-response.ts'
import { type EnrolmentEntry, type Level, levels, termLabel } from '#shared/terms/terms.ts'
import type { Section, Term } from '#shared/terms/terms-response.ts'
import { SmallButton } from '#web/components/button.tsx'
import { SelectField, TextField } from '#web/components/field.tsx'
import { ActionForm } from '#web/components/form-foot.tsx'
import { ModalOf } from '#web/components/modal.tsx'
import { LoadedPart } from '#web/components/tab-frame.tsx'
import { api, callApi, reading, slowApi } from '#web/lib/api.ts'
import { useProgramTimeZone } from '#web/lib/date-texts.ts'
import { useLevelNames } from '#web/lib/level-names.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { useAction } from '#web/lib/query.ts'
import { keyFor, type SendingKey } from '#web/lib/sending-key.ts'
import { useBatchToast } from './batch-toast.ts'
import type { Cell } from './data.ts'
import { placesText } from './move-or-drop.tsx'

/** A student who is added to a term. */
export type Newcomer = Pick<
  ListedStudent,
  'id' | 'lastName' | 'firstName' | 'middleName' | 'extensionName' | 'academicYear'
> & { nstpComponent: string; entry?: EnrolmentEntry }

const mostOffered = 5

interface FoundElsewhereProps {
  search: string
  /** The students above, who are left out. */
  listed: readonly string[]
  onAdd: (student: Newcomer) => void
}

/** Finds all students, also of earlier years: those who return, repeat, transfer or enlist late. */
export function FoundElsewhere({ search, listed, onAdd }: FoundElsewhereProps) {
  const query = useQuery({
    queryKey: ['students', 'for a term', search],
    queryFn: reading(api.students.$get, {
      query: { search, archive: 'all', sort: 'name', pageSize: String(mostOffered) },
    }),
  })
  return (
    <LoadedPart query={query} what="other students" lines={2} className="h-11">
      {({ items, total }) => {
        const others = items.filter(({ id }) => !listed.includes(id))
        const isMore = total > items.length
        return (
          (others.length > 0 || isMore) && (
            <section className="grid gap-2">
              <h3 className="font-semibold">Other students</h3>
              {others.length > 0 && (
                <ul className="divide-y rounded-box border bg-card">
                  {others.map((student) => (
                    <li
                      key={student.id}
                      className="flex flex-wrap items-center justify-between gap-3 px-3 py-2"
                    >
                      <span className="min-w-0 text-sm wrap-anywhere">
                        <span className="font-medium">{studentName(student)}</span>{' '}
                        <span className="text-muted">
                          {[student.nstpComponent, student.academicYear].filter(Boolean).join(' · ')}
                        </span>
                      </span>
                      <SmallButton icon={Plus} onClick={() => onAdd(student)}>
                        Add to this term…
                      </SmallButton>
                    </li>
                  ))}
                </ul>
              )}
              {isMore && (
                <p className="text-sm text-muted">
                  {countOf(total, 'student')} of all years match: type more of the name.
                </p>
              )}
            </section>
          )
        )
      }}
    </LoadedPart>
  )
}

interface AddToTermModalProps {
  term: Term
  cell: Cell
  /** All sections of the term. */
  sections: readonly Section[]
  added: Newcomer | null
  onClose: () => void
}

export function AddToTermModal({ added, ...props }: AddToTermModalProps) {
  return (
    <ModalOf
      thing={added}
      onClose={props.onClose}
      size="sm"
      title={(student) => `Add ${studentName(student)} to ${termLabel(props.term)}`}
    >
      {(student) => <AddToTerm student={student} {...props} />}
    </ModalOf>
  )
}

const entryTexts: Record<EnrolmentEntry, string> = {
  new: 'New',
  continuing: 'Continuing',
  repeating: 'Repeating',
  transferee: 'Transferee',
  'cross-enrolled': 'Cross-enrolled',
}

type AddToTermProps = Omit<AddToTermModalProps, 'added'> & { student: Newcomer }

function AddToTerm({ term, cell, sections, student, onClose }: AddToTermProps) {
  const today = calendarDateOf(new Date(), useProgramTimeZone())
  const showDone = useBatchToast()
  const { levelName } = useLevelNames()
  const [level, setLevel] = useState<Level>(cell.level)
  const [entry, setEntry] = useState<EnrolmentEntry>(
    student.entry ?? (cell.level === 1 ? 'repeating' : 'continuing'),
  )
  const [school, setSchool] = useState('')
  const [sectionId, setSectionId] = useState('')
  const [on, setOn] = useState(today)
  const [isSubmitted, setSubmitted] = useState(false)
  const open = sections.filter((one) => one.component === student.nstpComponent && one.level === level)
  const section = open.find(({ id }) => id === sectionId)
  const lastKey = useRef<SendingKey>(null)
  const isCrossEnrolled = entry === 'cross-enrolled'
  const action = useAction({
    topics: ['terms'],
    mutationFn() {
      const json = {
        ...{ studentIds: [student.id], level, entry, on },
        school: isCrossEnrolled ? school : '',
        sectionId: section?.id ?? null,
      }
      lastKey.current = keyFor(json, lastKey.current)
      const header = { 'idempotency-key': lastKey.current.key }
      return callApi(slowApi.terms[':id'].enrolments.$post({ param: { id: term.id }, header, json }))
    },
    onSuccess({ batchId }) {
      showDone(`${studentName(student)} added to ${termLabel(term)}`, batchId)
      onClose()
    },
  })
  return (
    <ActionForm
      action={action}
      label="Add to the term"
      busyLabel="Adding…"
      onCancel={onClose}
      onSubmit={() => {
        setSubmitted(true)
        if (on !== '') action.run()
      }}
    >
      <p>{[student.nstpComponent || 'No component yet', student.academicYear].filter(Boolean).join(' · ')}</p>
      <SelectField
        name="add-level"
        label="Level"
        options={levels.map((one) => ({ value: String(one), label: levelName(cell.component, one) }))}
        value={String(level)}
        onChange={({ target }) => setLevel(target.value === '1' ? 1 : 2)}
      />
      <SelectField
        name="add-entry"
        label="Entry"
        options={enrolmentEntries.map((value) => ({ value, label: entryTexts[value] }))}
        value={entry}
        onChange={({ target }) => setEntry(enrolmentEntries.find((one) => one === target.value) ?? entry)}
      />
      {isCrossEnrolled && (
        <TextField
          name="add-school"
          label="Home school"
          maxLength={enrolmentLimits.school}
          value={school}
          onChange={({ target }) => setSchool(target.value)}
        />
      )}
      <SelectField
        name="add-section"
        label="Section"
        placeholder="No section"
        options={open.map((one) => ({ value: one.id, label: placesText(one) }))}
        value={section?.id ?? ''}
        onChange={({ target }) => setSectionId(target.value)}
      />
      <TextField
        name="add-on"
        type="date"
        label="From day"
        required
        error={isSubmitted && on === '' ? enrolmentMessages.on : undefined}
        value={on}
        onChange={({ target }) => setOn(target.value)}
      />
    </ActionForm>
  )
}
