import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { studentName } from '#shared/students/student-name.ts'
import { enrolmentEntries, enrolmentLimits, enrolmentMessages } from '#shared/terms/enrolments.ts'
import type { ListedStudent } from '#shared/terms/enrolments-response.ts'
import { type EnrolmentEntry, termLabel } from '#shared/terms/terms.ts'
import type { Section, Term } from '#shared/terms/terms-response.ts'
import { SmallButton } from '#web/components/button.tsx'
import { SelectField, TextField } from '#web/components/field.tsx'
import { Form } from '#web/components/form.tsx'
import { FormFoot } from '#web/components/form-foot.tsx'
import { Hint } from '#web/components/hint.tsx'
import { useOfficeForm } from '#web/components/record-form.ts'
import { LoadedPart } from '#web/components/tab-frame.tsx'
import { api, callApi, reading, slowApi } from '#web/lib/api.ts'
import { useToday } from '#web/lib/date-texts.ts'
import { factsText } from '#web/lib/facts-text.ts'
import { levelOf, useLevelNames } from '#web/lib/level-names.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { optionsOf } from '#web/lib/options.ts'
import { useSendingKey } from '#web/lib/sending-key.ts'
import { useBatchToast } from './batch-toast.ts'
import type { Cell } from './data.ts'
import { OpenSectionField } from './move-or-drop.tsx'

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
                          {factsText(student.nstpComponent, student.academicYear)}
                        </span>
                      </span>
                      <SmallButton icon={Plus} onClick={() => onAdd(student)}>
                        Add to this term…
                      </SmallButton>
                    </li>
                  ))}
                </ul>
              )}
              {isMore && <Hint>{countOf(total, 'student')} of all years match: type more of the name.</Hint>}
            </section>
          )
        )
      }}
    </LoadedPart>
  )
}

const entryTexts: Record<EnrolmentEntry, string> = {
  new: 'New',
  continuing: 'Continuing',
  repeating: 'Repeating',
  transferee: 'Transferee',
  'cross-enrolled': 'Cross-enrolled',
}

interface AddToTermProps {
  term: Term
  cell: Cell
  /** All sections of the term. */
  sections: readonly Section[]
  student: Newcomer
  onClose: () => void
}

export function AddToTerm({ term, cell, sections, student, onClose }: AddToTermProps) {
  const showDone = useBatchToast()
  const { levelOptions } = useLevelNames()
  const { headerFor } = useSendingKey()
  const placeOf = ({ sectionId, ...values }: Record<'level' | 'sectionId', string>) => {
    const level = levelOf(values.level)
    const open = sections.filter((one) => one.component === student.nstpComponent && one.level === level)
    return { level, open, section: open.find(({ id }) => id === sectionId) }
  }
  const form = useOfficeForm({
    topics: ['terms'],
    values: {
      level: String(cell.level),
      entry: student.entry ?? (cell.level === 1 ? 'repeating' : 'continuing'),
      school: '',
      sectionId: '',
      on: useToday(),
    },
    controlId: (path) => `add-${path}`,
    problemsOf: ({ on }) => (on === '' ? [{ path: 'on', message: enrolmentMessages.on }] : []),
    send({ entry, school, on, ...place }) {
      const { level, section } = placeOf(place)
      const json = {
        ...{ studentIds: [student.id], level, entry, on },
        school: entry === 'cross-enrolled' ? school : '',
        sectionId: section?.id ?? null,
      }
      const sent = { param: { id: term.id }, header: headerFor(json), json }
      return callApi(slowApi.terms[':id'].enrolments.$post(sent))
    },
    onDone({ batchId }) {
      showDone(`${studentName(student)} added to ${termLabel(term)}`, batchId)
      onClose()
    },
  })
  const { open, section } = placeOf(form.values)
  return (
    <Form form={form} isGuarded={false}>
      <p>{factsText(student.nstpComponent || 'No component yet', student.academicYear)}</p>
      <SelectField {...form.field('level')} label="Level" options={levelOptions(cell.component)} />
      <SelectField {...form.field('entry')} label="Entry" options={optionsOf(enrolmentEntries, entryTexts)} />
      {form.values.entry === 'cross-enrolled' && (
        <TextField {...form.field('school')} label="Home school" maxLength={enrolmentLimits.school} />
      )}
      <OpenSectionField form={form} id="add-sectionId" label="Section" {...{ open, section }} />
      <TextField {...form.field('on')} type="date" label="From day" required />
      <FormFoot form={form} label="Add to the term" onCancel={onClose} />
    </Form>
  )
}
