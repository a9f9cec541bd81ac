import { Archive, ArchiveRestore, Eye, FileUp, Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { StudentListItem, StudentRecord } from '#shared/student.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { tabPath } from '#web/lib/admin-tab.ts'
import { useInstantTexts } from '#web/lib/instant-texts.ts'
import { ArchiveSelectedModal } from './archive-selected-modal.tsx'
import { DeleteStudentModal } from './delete-student-modal.tsx'
import { DuplicateMark } from './duplicate-mark.tsx'
import { EditStudent } from './edit-student.tsx'
import { ExportButton } from './export-button.tsx'
import { ListBody } from './list-body.tsx'
import { ListHead } from './list-head.tsx'
import { studentsLayout as layout } from './list-layouts.tsx'
import { studentsPlace as place } from './list-place.ts'
import { openedFrom, readingOf } from './opened-record.ts'
import { PrintButton } from './print-button.tsx'
import type { ActionsOf } from './row-actions.tsx'
import { useRowFocusBack } from './row-focus.ts'
import { SelectedActions } from './selected-actions.tsx'
import { useSelection } from './selection.ts'
import { StudentDetails } from './student-details.tsx'
import { StudentFilters } from './student-filters.tsx'
import { type OpenRecord, setKey } from './student-query.ts'
import type { StudentsData } from './students-data.ts'
import { useStudentsNavigation } from './students-navigation.ts'
import { useQuestion } from './use-question.ts'
import { useRecordActions } from './use-record-actions.ts'
import { useSheetPrinting } from './use-sheet-printing.ts'

interface StudentsTabProps {
  /** What was read last; null while the first of it is being read. */
  data: StudentsData | null
  /** Whether the last reading failed, which stands above the tab. The filters stay: they may be the cause. */
  failed: boolean
  /** The printable sheet of a student, which another feature makes. */
  renderSheet: (student: StudentRecord) => ReactNode
  /** What was mailed to a student. */
  renderMail: (student: StudentRecord) => ReactNode
  /** Compares a record with those that may be the same person, which another feature does; null for none. */
  renderDuplicates: (id: string | null, onClose: () => void) => ReactNode
  /** Prints the sheets of several students in one go, and tells when that is done. */
  renderPrint: (students: readonly StudentRecord[], onDone: () => void) => ReactNode
}

/** The students: filters, list, and what can be done with a record (spec §2). Its state is in the address. */
export function StudentsTab(props: StudentsTabProps) {
  const { data, failed, renderSheet, renderMail, renderDuplicates, renderPrint } = props
  const navigation = useStudentsNavigation(place)
  const { query, opened } = navigation.address
  const texts = useInstantTexts()
  const actions = useRecordActions()
  const deleting = useQuestion<StudentListItem>()
  const archiving = useQuestion<readonly string[]>()
  const selection = useSelection(setKey(data?.address.query ?? query, place))
  const sheets = useSheetPrinting()
  useRowFocusBack(openedFrom(opened, deleting.about))

  const actionsOf: ActionsOf = (student) => [
    {
      name: 'view',
      label: 'View',
      Icon: Eye,
      onSelect: () => navigation.open({ as: 'details', id: student.id }),
    },
    {
      name: 'edit',
      label: 'Edit',
      Icon: Pencil,
      onSelect: () => navigation.open({ as: 'edit', id: student.id }),
    },
    student.archived
      ? {
          name: 'archive',
          label: 'Unarchive',
          Icon: ArchiveRestore,
          onSelect: () => void actions.unarchive(student.id),
        }
      : {
          name: 'archive',
          label: 'Archive',
          Icon: Archive,
          onSelect: () => void actions.archive(student.id),
        },
    { name: 'delete', label: 'Delete', Icon: Trash2, danger: true, onSelect: () => deleting.ask(student) },
  ]

  async function remove(id: string) {
    if (await actions.remove(id)) selection.drop(id)
    deleting.close()
  }

  // Without anything read a modal would hide what went wrong.
  const idOf = (as: OpenRecord['as']) => (opened?.as === as && (data || !failed) ? opened.id : null)
  const reading = readingOf(data, opened)
  const isEmpty = data?.list.total === 0
  return (
    <div className="flex flex-col gap-3">
      <ListHead title={layout.title} actions={actions}>
        <ButtonLink
          variant="outline"
          size="sm"
          icon={<FileUp aria-hidden="true" className="size-4" />}
          to={tabPath('import')}
        >
          Import
        </ButtonLink>
        <ExportButton filters={query} isEmpty={isEmpty} />
        <PrintButton label="Print" layout={layout} filters={query} isEmpty={isEmpty} texts={texts} />
      </ListHead>
      <StudentFilters
        place={place}
        layout={layout}
        academicYears={data?.academicYears ?? []}
        query={query}
        onChange={navigation.show}
      />
      <ListBody
        data={data}
        failed={failed}
        place={place}
        layout={layout}
        navigation={navigation}
        actionsOf={actionsOf}
        renderMark={(student) => (
          <DuplicateMark
            student={student}
            onOpen={() => navigation.open({ as: 'duplicates', id: student.id })}
          />
        )}
        ownChanges={actions.ownChanges}
        selection={selection}
        renderSelected={(selected) => (
          <SelectedActions
            count={selected.ids.size}
            isPrinting={sheets.isPreparing}
            onArchive={() => archiving.ask([...selected.ids])}
            onPrint={() => void sheets.print(selected, query)}
          />
        )}
        texts={texts}
      />
      <StudentDetails
        id={idOf('details')}
        details={reading}
        onClose={navigation.close}
        renderSheet={renderSheet}
        renderMail={renderMail}
        onCompare={(id) => navigation.open({ as: 'duplicates', id }, { replace: true })}
        texts={texts}
      />
      <EditStudent
        id={idOf('edit')}
        reading={reading}
        courses={data?.courses ?? []}
        academicYears={data?.academicYears ?? []}
        onFailure={actions.fail}
        onSaved={actions.noteChange}
        onClose={navigation.close}
      />
      <DeleteStudentModal
        student={deleting.about}
        verb="delete"
        isBusy={actions.isBusy}
        onDelete={({ id }) => void remove(id)}
        onClose={deleting.close}
      />
      <ArchiveSelectedModal
        ids={archiving.about}
        isBusy={actions.isBusy}
        onArchive={(ids) => void actions.archiveAll(ids).then(archiving.close)}
        onClose={archiving.close}
      />
      {renderDuplicates(idOf('duplicates'), navigation.close)}
      {sheets.students && renderPrint(sheets.students, sheets.done)}
    </div>
  )
}
