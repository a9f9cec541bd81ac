import { useQuery } from '@tanstack/react-query'
import { FileSpreadsheet, Printer, Ticket } from 'lucide-react'
import { Suspense, useState } from 'react'
import { Link } from 'react-router'
import { phoneText } from '#shared/students/phone-number.ts'
import { studentName } from '#shared/students/student-name.ts'
import { maxSheetStudents } from '#shared/students/students.ts'
import { sectionLabel, termLabel } from '#shared/terms/terms.ts'
import type { ClassList, Section, Term } from '#shared/terms/terms-response.ts'
import { Button, SmallButton } from '#web/components/button.tsx'
import { CheckLine } from '#web/components/check-line.tsx'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { Modal, ModalFoot, useLastShown } from '#web/components/modal.tsx'
import { PrintedPages } from '#web/components/printed-pages.tsx'
import { saveExport } from '#web/components/save-export.ts'
import type { WantedSlips } from '#web/components/slips.tsx'
import { LoadedPart } from '#web/components/tab-frame.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { useAccount } from '#web/lib/account.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { factsText } from '#web/lib/facts-text.ts'
import { useLevelNames } from '#web/lib/level-names.ts'
import { countOf } from '#web/lib/number-texts.ts'
import { useAction } from '#web/lib/query.ts'
import { useSettings } from '#web/lib/settings.tsx'
import type { Cell } from './data.ts'
import { EmergencySheet } from './emergency-sheet.tsx'
import './class-lists.css'
import { lazyPart } from '#web/lib/lazy-part.ts'

const SlipsModal = lazyPart(async () => (await import('#web/components/slips.tsx')).SlipsModal)

/** One section, or all of a component and level. */
export interface ListedSections {
  section: Section | null
}

interface ClassListsModalProps {
  term: Term
  cell: Cell
  listed: ListedSections | null
  onClose: () => void
}

export function ClassListsModal({ listed, ...props }: ClassListsModalProps) {
  const { last, key } = useLastShown(listed)
  const { cellName } = useLevelNames()
  const what = last?.section ? sectionLabel(last.section) : cellName(props.cell)
  return (
    <Modal
      open={listed !== null}
      onClose={props.onClose}
      size={last?.section ? 'md' : 'sm'}
      title={`Class list of ${what}`}
    >
      {last && <ClassLists key={key} {...props} section={last.section} />}
    </Modal>
  )
}

function ClassLists({ term, cell, section, onClose }: Omit<ClassListsModalProps, 'listed'> & ListedSections) {
  const { can } = useAccount()
  const [hasDays, setDays] = useState(false)
  const [printed, setPrinted] = useState<readonly ClassList[] | null>(null)
  const [slips, setSlips] = useState<WantedSlips | null>(null)
  const { component } = cell
  const level = `${cell.level}` as const
  const request = {
    param: { id: term.id },
    query: section ? { section: section.id } : { component, level },
  }
  const printing = useAction({
    topics: ['terms'],
    async mutationFn() {
      const { items } = await callApi(api.terms[':id']['class-lists'].$get(request))
      const lists = items.filter(({ students }) => students.length > 0)
      const ids = lists.flatMap(({ students }) => students.map(({ id }) => id))
      // The ids keep the print from being counted again: these students were counted when the lists were read.
      const named = ids.length <= maxSheetStudents && { ids }
      // Recorded first: scripts don't run while the dialog is open.
      if (ids.length > 0)
        await api.students.prints.$post({ json: { kind: 'list', count: ids.length, ...named } })
      return lists
    },
    onSuccess(lists) {
      if (lists.length > 0) setPrinted(lists)
      else showToast('warning', 'Nobody is in these sections yet.')
    },
  })
  const readGroups = async () => {
    const { items } = await callApi(api.terms[':id']['class-lists'].$get(request))
    return items.map(({ students }) => students.map(({ id }) => id))
  }
  const download = useAction({
    topics: ['terms'],
    mutationFn: () => saveExport(api.terms[':id']['class-lists.xlsx'].$get(request), 'Class lists.xlsx'),
    onSuccess: onClose,
  })
  const failure = printing.error ?? download.error
  const isBusy = printing.isPending || download.isPending
  return (
    <div className="grid gap-4">
      {failure && <ErrorBanner message={sentenceOf(failure)} />}
      {section ? (
        <Names term={term} section={section} />
      ) : (
        <p>
          {countOf(cell.placed, 'student')} in {countOf(cell.sections, 'section')}. Each section begins a new
          page.
        </p>
      )}
      <CheckLine checked={hasDays} onChange={setDays}>
        With 15 columns for attendance
      </CheckLine>
      <ModalFoot>
        {can('students.take-out') && (
          <>
            {section && term.state === 'open' && (
              <EmergencySheet
                term={term}
                section={section}
                readIds={async () => (await readGroups()).flat()}
              />
            )}
            <SmallButton
              icon={Ticket}
              aria-disabled={isBusy}
              onClick={() => setSlips({ count: section?.students ?? cell.placed, groups: readGroups })}
            >
              Print slips
            </SmallButton>
            <SmallButton icon={FileSpreadsheet} aria-disabled={isBusy} onClick={() => download.run()}>
              Export to Excel
            </SmallButton>
          </>
        )}
        <Button size="sm" icon={Printer} aria-disabled={isBusy} onClick={() => printing.run()}>
          Print
        </Button>
      </ModalFoot>
      {slips && (
        <Suspense>
          <SlipsModal wanted={slips} onClose={() => setSlips(null)} />
        </Suspense>
      )}
      {printed && (
        <Papers
          term={term}
          lists={printed}
          hasDays={hasDays}
          onPrinted={() => {
            setPrinted(null)
            onClose()
          }}
        />
      )}
    </div>
  )
}

/** A name leads to the record. */
function Names({ term, section }: { term: Term; section: Section }) {
  const query = useQuery({
    queryKey: ['terms', 'class-list', section.id],
    meta: { topics: ['students'] },
    async queryFn({ signal }) {
      const request = { param: { id: term.id }, query: { section: section.id } }
      const { items } = await callApi(api.terms[':id']['class-lists'].$get(request, { init: { signal } }))
      return items[0] ?? null
    },
  })
  return (
    <LoadedPart query={query} what="the class list" lines={5} className="h-7">
      {(list) => (
        <>
          <ol className="list-decimal pl-10 text-sm">
            {list?.students.map((student) => (
              <li key={student.id} className="py-1 wrap-anywhere max-md:py-2">
                <Link
                  to={tabPath('students', { student: student.id })}
                  className="font-medium underline-offset-4 hover:underline"
                >
                  {studentName(student)}
                </Link>{' '}
                <span className="text-muted">{factsText(student.studentId, student.course)}</span>
              </li>
            ))}
          </ol>
          {list && list.leftOut > 0 && <LeftOut count={list.leftOut} />}
        </>
      )}
    </LoadedPart>
  )
}

function LeftOut({ count }: { count: number }) {
  return <p>{countOf(count, 'blocked record')} left out.</p>
}

interface PapersProps {
  term: Term
  lists: readonly ClassList[]
  hasDays: boolean
  onPrinted: () => void
}

function Papers({ term, lists, hasDays, onPrinted }: PapersProps) {
  return (
    <PrintedPages className="paper-list class-lists" onPrinted={onPrinted}>
      {lists.map((list) => (
        <Paper key={list.section.id} term={term} list={list} hasDays={hasDays} />
      ))}
    </PrintedPages>
  )
}

const attendanceDays = 15

function Paper({
  term,
  list: { section, students, leftOut },
  hasDays,
}: Omit<PapersProps, 'lists' | 'onPrinted'> & { list: ClassList }) {
  const { sees } = useAccount()
  const { schoolName } = useSettings()
  const { cellName } = useLevelNames()
  const { adviser, meets } = section
  const facts = [cellName(section), termLabel(term), adviser && `Adviser: ${adviser}`, meets]
  return (
    <section>
      <h1>
        {schoolName && <span>{schoolName}</span>}
        {sectionLabel(section)}
      </h1>
      <p>{factsText(...facts, countOf(students.length, 'student'))}</p>
      <table>
        <thead>
          <tr>
            <th scope="col" className="order">
              No.
            </th>
            <th scope="col">Name</th>
            <th scope="col" className="number">
              Number
            </th>
            {hasDays ? (
              Array.from({ length: attendanceDays }, (_, day) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: they never change
                <th key={day} scope="col" className="day" />
              ))
            ) : (
              <>
                <th scope="col">Course</th>
                <th scope="col" className="sex">
                  Sex
                </th>
                {sees('contactNumber') && (
                  <th scope="col" className="contact">
                    Contact
                  </th>
                )}
                <th scope="col" className="remarks">
                  Remarks
                </th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {students.map((student, index) => (
            <tr key={student.id}>
              <td>{index + 1}</td>
              <td>{studentName(student)}</td>
              <td className="number">{student.studentId}</td>
              {hasDays ? (
                Array.from({ length: attendanceDays }, (_, day) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: they never change
                  <td key={day} />
                ))
              ) : (
                <>
                  <td>{student.course}</td>
                  <td>{student.sex}</td>
                  {sees('contactNumber') && <td>{phoneText(student.contactNumber)}</td>}
                  <td />
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {leftOut > 0 && <LeftOut count={leftOut} />}
    </section>
  )
}
