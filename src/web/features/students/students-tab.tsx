import { clsx } from 'clsx'
import {
  Archive,
  ArchiveRestore,
  Ellipsis,
  Eye,
  FileSpreadsheet,
  FileUp,
  GraduationCap,
  Mail,
  Pencil,
  Printer,
  Trash2,
  UserX,
} from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import type { Permission } from '#shared/people/permissions.ts'
import type { StudentListItem, StudentRecord } from '#shared/students/student-response.ts'
import { maxSheetStudents, type StudentFilters } from '#shared/students/students.ts'
import { Button, IconButton, SmallButton, SmallLink } from '#web/components/button.tsx'
import { Hint } from '#web/components/hint.tsx'
import { useMailStudents } from '#web/components/mail-students.ts'
import { Menu, type MenuAction } from '#web/components/menu.tsx'
import { Modal, ModalOf } from '#web/components/modal.tsx'
import { QuestionModal } from '#web/components/question-modal.tsx'
import { saveExport } from '#web/components/save-export.ts'
import { showToast } from '#web/components/toaster.tsx'
import { useAccount } from '#web/lib/account.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi, slowApi } from '#web/lib/api.ts'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { useNarrowScreen } from '#web/lib/media-query.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { ChangeSelected } from './change-selected.tsx'
import { useTask } from './data.ts'
import { filtersText } from './filter-texts.ts'
import { filterParams, setKey } from './list-address.ts'
import { PrintButton, withoutStudents } from './print-export.tsx'
import { SheetBatch } from './print-sheet.tsx'
import { type ActionsOf, listTitleId, permissionOf, useQuestion, useSelection } from './record-actions.tsx'
import { StudentDetails, type StudentDetailsProps } from './record-modals.tsx'
import { RejectedNotices, RejectSelected } from './rejections.tsx'
import { studentsLayout } from './student-columns.tsx'
import { type SelectedStudents, StudentsFrame, useStudentScreen } from './student-list.tsx'
import { ViewMenu } from './view-menu.tsx'

const loadDuplicates = async () => (await import('./duplicates-modal.tsx')).DuplicatesModal
const loadEdit = async () => (await import('./edit-student.tsx')).EditStudent
const DuplicatesModal = lazyPart(loadDuplicates)
const EditStudent = lazyPart(loadEdit)

/** Product 9. Its state is in the address. */
export function StudentsTab({
  renderMail,
  renderProgram,
  renderCredits,
}: Pick<StudentDetailsProps, 'renderMail' | 'renderProgram'> & {
  /** For the selected students; null closes it. */
  renderCredits: (ids: readonly string[] | null, onClose: () => void) => ReactNode
}) {
  const screen = useStudentScreen(studentsLayout)
  const { layout, list, navigation, actions, deleting, idOf } = screen
  const { can } = useAccount()
  const { query } = navigation.address
  const mail = useMailStudents()
  const { print } = layout.address.read(useLocation().search)
  const archiving = useQuestion<readonly string[]>()
  const changing = useQuestion<readonly string[]>()
  const crediting = useQuestion<readonly string[]>()
  const rejecting = useQuestion<readonly string[]>()
  const selection = useSelection(setKey(query, layout))
  const sheets = useSheetPrinting()
  const exporting = useExport()
  const hasRows = list.data !== undefined
  // Right after the rows: without a connection a dialog should still open, and say what is missing.
  useEffect(() => void (hasRows && Promise.allSettled([loadDuplicates(), loadEdit()])), [hasRows])

  const actionsOf: ActionsOf = (student) => {
    const { id } = student
    const all: ReturnType<ActionsOf> = [
      { name: 'view', label: 'View', Icon: Eye, onSelect: () => navigation.open({ as: 'details', id }) },
      { name: 'edit', label: 'Edit', Icon: Pencil, onSelect: () => navigation.open({ as: 'edit', id }) },
      student.archived
        ? {
            name: 'archive',
            label: 'Unarchive',
            Icon: ArchiveRestore,
            onSelect: () => void actions.unarchive(id),
          }
        : { name: 'archive', label: 'Archive', Icon: Archive, onSelect: () => void archive(id) },
      { name: 'delete', label: 'Delete', Icon: Trash2, danger: true, onSelect: () => deleting.ask(student) },
    ]
    return all.filter(({ name }) => can(permissionOf[name]))
  }

  async function archive(id: string) {
    if (await actions.archive(id)) selection.drop(id)
  }

  function actionsOfSelected(selected: SelectedStudents): readonly SelectedAction[] {
    const ids = [...selected.ids]
    const count = figureText(ids.length)
    return [
      {
        label: `Print Sheets (${count})`,
        icon: Printer,
        disabled: sheets.isPreparing,
        onSelect: () => sheets.printSelected(selected, query),
        isMain: true,
        button: 'not on a phone',
        needs: 'students.take-out',
      },
      { label: 'E-mail', icon: Mail, onSelect: () => mail(ids), button: 'always', needs: 'mail' },
      {
        label: 'Export',
        icon: FileSpreadsheet,
        disabled: exporting.isBusy,
        onSelect: () => exporting.run(query, ids),
        needs: 'students.take-out',
      },
      { label: 'Change…', icon: Pencil, onSelect: () => changing.ask(ids), needs: 'students.change' },
      {
        label: 'Graduated before…',
        icon: GraduationCap,
        onSelect: () => crediting.ask(ids),
        needs: 'credits',
      },
      { label: 'Mark as fake…', icon: UserX, onSelect: () => rejecting.ask(ids), needs: 'students.reject' },
      {
        label: `Archive Selected (${count})`,
        icon: Archive,
        onSelect: () => archiving.ask(ids),
        button: 'always',
        needs: 'students.change',
      },
    ]
  }

  async function archiveSelected(ids: readonly string[]) {
    if (await actions.archiveAll(ids)) selection.clear()
    archiving.close()
  }

  async function reject(ids: readonly string[]) {
    if (await actions.rejectAll(ids)) selection.clear()
    rejecting.close()
  }

  // The button that opened a dialog goes with the selection.
  const focusBack = () => (selection.ids.size === 0 && document.getElementById(listTitleId)) || true

  const isEmpty = list.data?.total === 0
  const isNew = list.data?.anyRegistered === false
  return (
    <StudentsFrame
      screen={screen}
      failure="Failed to load students data"
      deleteVerb="delete"
      onDeleted={(id) => {
        selection.drop(id)
        if (navigation.address.opened?.id === id) navigation.close()
      }}
      actionsOf={actionsOf}
      selection={can('students.change') ? selection : null}
      notices={
        can('students.reject') && (
          <RejectedNotices isBusy={actions.isBusy} onUndo={(id) => void actions.undoRejection(id)} />
        )
      }
      tools={
        <>
          {can('imports') && (
            <SmallLink icon={FileUp} to={tabPath('import')}>
              Import
            </SmallLink>
          )}
          {!isNew && (
            <>
              {can('students.take-out') && (
                <SmallButton
                  icon={FileSpreadsheet}
                  disabled={exporting.isBusy}
                  {...(isEmpty ? withoutStudents('export') : { onClick: () => exporting.run(query) })}
                >
                  Export to Excel
                </SmallButton>
              )}
              <PrintButton label="Print" layout={layout} filters={query} isEmpty={isEmpty} />
            </>
          )}
          <ViewMenu layout={layout} navigation={navigation} />
        </>
      }
      renderSelected={(selected) => (
        <SelectedActions actions={actionsOfSelected(selected).filter(({ needs }) => can(needs))} />
      )}
    >
      <StudentDetails
        id={idOf('details')}
        onClose={navigation.close}
        renderMail={renderMail}
        renderProgram={renderProgram}
        listed={list.data?.items.map(({ id }) => id) ?? []}
        onShow={(id) => navigation.open({ as: 'details', id }, { replace: true })}
        onEdit={(id) => navigation.open({ as: 'edit', id })}
        onCompare={(id) => navigation.open({ as: 'duplicates', id }, { replace: true })}
        actionsOf={actionsOf}
      />
      <FromFirstUse isUsed={idOf('edit') !== null}>
        <EditStudent id={idOf('edit')} onSaved={actions.noteChange} onClose={navigation.close} />
      </FromFirstUse>
      <QuestionModal
        title="Archive Students"
        thing={archiving.about}
        isBusy={actions.isBusy}
        isDangerous={false}
        focusBack={focusBack}
        words={() => ({ confirm: 'Archive', busy: 'Archiving…' })}
        onConfirm={(ids) => void archiveSelected(ids)}
        onClose={archiving.close}
      >
        {({ length }) => (
          <>
            <p className="mb-2 font-semibold wrap-anywhere">
              {countOf(length, 'student')} {filtersText(query)}
            </p>
            <p>Are you sure you want to archive {figureText(length)} student(s)?</p>
            <p className="mt-2">This will move them to the archived students section.</p>
            {/* Always rendered: a status is read out only when it changes. */}
            <div role="status" className="mt-4 empty:hidden">
              {actions.isBusy && (
                <>
                  <Hint>Archiving {figureText(length)} student(s)…</Hint>
                  {/* All or nothing: there are no steps to count. */}
                  <progress aria-label="Archiving" className="mt-1 w-full accent-primary" />
                </>
              )}
            </div>
          </>
        )}
      </QuestionModal>
      <ModalOf
        thing={changing.about}
        onClose={() => actions.isBusy || changing.close()}
        title={({ length }) => (length === 1 ? 'Change 1 Student' : `Change ${length} Students`)}
        size="sm"
      >
        {(ids) => (
          <ChangeSelected
            ids={ids}
            isBusy={actions.isBusy}
            onChange={(change) => void actions.changeAll(change).then(changing.close)}
            onClose={changing.close}
          />
        )}
      </ModalOf>
      <FromFirstUse isUsed={crediting.about !== null}>
        {renderCredits(crediting.about, crediting.close)}
      </FromFirstUse>
      <ModalOf
        thing={rejecting.about}
        onClose={() => actions.isBusy || rejecting.close()}
        title="Mark as Fake"
        focusBack={focusBack}
      >
        {(ids) => (
          <RejectSelected
            ids={ids}
            isBusy={actions.isBusy}
            onReject={(rejected) => void reject(rejected)}
            onClose={rejecting.close}
          />
        )}
      </ModalOf>
      <PrintSheetsModal
        open={print !== null && can('students.take-out') && list.data !== undefined}
        total={list.data?.total ?? 0}
        isBusy={sheets.isPreparing}
        onPrint={(from) => sheets.printListed(from, query)}
        onClose={navigation.close}
      />
      <FromFirstUse isUsed={idOf('duplicates') !== null}>
        <DuplicatesModal
          id={idOf('duplicates')}
          withId={navigation.address.opened?.withId ?? null}
          onChange={actions.noteChange}
          onClose={navigation.close}
        />
      </FromFirstUse>
      {sheets.batch && (
        <SheetBatch key={sheets.batch.number} students={sheets.batch.students} onDone={sheets.done} />
      )}
    </StudentsFrame>
  )
}

/** Loads the script of its content at the first use. The content stays afterwards, to close as it opened. */
function FromFirstUse({ isUsed, children }: { isUsed: boolean; children: ReactNode }) {
  const [wasUsed, setWasUsed] = useState(isUsed)
  if (isUsed && !wasUsed) setWasUsed(true)
  return (isUsed || wasUsed) && <Suspense>{children}</Suspense>
}

/** An action is in the menu where `button` doesn't make it a button. */
type SelectedAction = MenuAction & {
  isMain?: true
  button?: 'always' | 'not on a phone'
  needs: Permission
}

function SelectedActions({ actions }: { actions: readonly SelectedAction[] }) {
  const isPhone = useNarrowScreen()
  const isButton = ({ button }: SelectedAction) => button === 'always' || (button !== undefined && !isPhone)
  return (
    <div className="flex gap-2 max-md:w-full md:flex-wrap">
      {actions.filter(isButton).map(({ label, icon, disabled, onSelect, isMain }) => (
        <SmallButton
          key={label}
          variant={isMain ? 'primary' : 'outline'}
          icon={icon}
          disabled={disabled}
          className={clsx(
            'max-md:flex-auto max-md:px-2! max-md:leading-tight max-md:[&_svg]:hidden',
            // E-mail has its hyphen to break at.
            label.includes(' ') && 'max-md:shrink max-md:whitespace-normal',
          )}
          onClick={onSelect}
        >
          {label}
        </SmallButton>
      ))}
      {/* In a box: an open menu has more elements, which would take room in the row. */}
      <div>
        <Menu
          trigger={<IconButton label="More actions" icon={Ellipsis} size={isPhone ? 'md' : 'sm'} />}
          entries={actions.filter((action) => !isButton(action))}
        />
      </div>
    </div>
  )
}

interface PrintSheetsModalProps {
  open: boolean
  total: number
  isBusy: boolean
  /** @param from the first one's place in the list */
  onPrint: (from: number) => void
  onClose: () => void
}

function PrintSheetsModal({ open, total, isBusy, onPrint, onClose }: PrintSheetsModalProps) {
  const jobs = Array.from({ length: Math.ceil(total / maxSheetStudents) }, (_, job) => job * maxSheetStudents)
  return (
    <Modal
      open={open}
      onClose={onClose}
      title="Print Sheets"
      size="sm"
      footer={
        <>
          <SmallButton onClick={onClose}>Close</SmallButton>
          {jobs.map((from) => (
            <Button key={from} size="sm" icon={Printer} disabled={isBusy} onClick={() => onPrint(from)}>
              {jobs.length === 1
                ? `Print Sheets (${figureText(total)})`
                : `${figureText(from + 1)}–${figureText(Math.min(total, from + maxSheetStudents))}`}
            </Button>
          ))}
        </>
      }
    >
      {total === 0
        ? 'There are no students in the list to print.'
        : `This prints the data sheets of all ${countOf(total, 'student')} in the list.`}
    </Modal>
  )
}

function useExport() {
  const { run, isBusy } = useTask('Failed to export students')
  return {
    isBusy,
    /** @param ids only these */
    run: (filters: StudentFilters, ids?: string[]) =>
      run(() => saveExport(exportStudents(filters, ids), 'NSTP students.xlsx')),
  }
}

function exportStudents(filters: StudentFilters, ids: string[] | undefined): Promise<Response> {
  return ids
    ? slowApi.students['export.xlsx'].$post({ query: { sort: filters.sort }, json: { ids } })
    : api.students['export.xlsx'].$get({ query: filterParams(filters) })
}

const tooMany =
  `At most ${figureText(maxSheetStudents)} students' sheets can be printed in one go. ` +
  'Please select fewer.'

function useSheetPrinting() {
  const { run, isBusy: isPreparing } = useTask('Failed to print sheets')
  // Numbered: one that begins while another is still on the page prints too.
  const [batch, setBatch] = useState<{ number: number; students: readonly StudentRecord[] } | null>(null)

  const print = (idsToPrint: () => Promise<string[]>) =>
    run(async () => {
      const { items } = await callApi(api.students.sheets.$post({ json: { ids: await idsToPrint() } }))
      setBatch((before) => ({ number: (before?.number ?? 0) + 1, students: items }))
    })

  return {
    isPreparing,
    batch,
    done: () => setBatch(null),

    printSelected({ ids, listed }: SelectedStudents, filters: StudentFilters) {
      if (ids.size > maxSheetStudents) showToast('warning', tooMany)
      else print(() => inListOrder(ids, listed, () => readIds(filters)))
    },

    printListed: (from: number, filters: StudentFilters) =>
      print(async () => (await readIds(filters)).slice(from, from + maxSheetStudents)),
  }
}

async function readIds(filters: StudentFilters): Promise<string[]> {
  return (await callApi(api.students.ids.$get({ query: filterParams(filters) }))).ids
}

/** The order of the whole list is read only when some selected students aren't on the screen. */
export async function inListOrder(
  selected: ReadonlySet<string>,
  listed: readonly Pick<StudentListItem, 'id'>[],
  readOrder: () => Promise<readonly string[]>,
): Promise<string[]> {
  const onScreen = listed.map(({ id }) => id).filter((id) => selected.has(id))
  if (onScreen.length === selected.size) return onScreen
  const ordered = (await readOrder()).filter((id) => selected.has(id))
  // Students that left the list after selection are still selected, and come last.
  return [...new Set([...ordered, ...selected])]
}
