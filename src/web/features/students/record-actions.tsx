import { useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { CopyCheck, Ellipsis, type LucideIcon } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import type { Permission } from '#shared/people/permissions.ts'
import type { BulkField } from '#shared/students/student-edit.ts'
import type { StudentListItem } from '#shared/students/student-response.ts'
import { Button, IconButton } from '#web/components/button.tsx'
import { Menu } from '#web/components/menu.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { showUndoable, undoMs } from '#web/components/undo-toast.ts'
import { useAccount } from '#web/lib/account.ts'
import { api, callApi, slowApi } from '#web/lib/api.ts'
import { failureText } from '#web/lib/api-problem.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { useDeleteRecord, useReadAgain } from '#web/lib/query.ts'
import { runAfter } from '#web/lib/timers.ts'
import { type OpenRecord, useStudentsNavigation } from './list-address.ts'
import { archiveListConfig, type ListConfig } from './student-lists.ts'
import { bulkChangeText, listName } from './student-texts.ts'

interface RowAction {
  name: 'view' | 'edit' | 'archive' | 'delete' | 'form' | 'duplicates'
  label: string
  Icon: LucideIcon
  danger?: true
  onSelect: () => void
}

export const permissionOf: Record<RowAction['name'], Permission> = {
  view: 'students.read',
  edit: 'students.edit',
  archive: 'students.change',
  delete: 'students.delete',
  form: 'students.take-out',
  duplicates: 'students.change',
}

export type ActionsOf = (student: StudentListItem) => readonly RowAction[]

function actionButtonId(action: RowAction['name'] | 'menu', student: string): string {
  return `${action}-${student}`
}

interface RowActionsProps {
  student: StudentListItem
  actions: readonly RowAction[]
}

export function wiringOf(student: StudentListItem, { name, onSelect }: RowAction) {
  return { id: actionButtonId(name, student.id), [actionAttribute]: name, onClick: onSelect }
}

/** Delete comes last, apart from the others. The name opens the record, so `view` is left out. */
export function ActionMenu({ student, actions }: RowActionsProps) {
  const entries = actions.map(({ label, Icon, danger, onSelect }) => ({
    label,
    icon: Icon,
    danger,
    onSelect,
  }))
  return (
    <Menu
      trigger={
        <IconButton
          id={actionButtonId('menu', student.id)}
          {...{ [actionAttribute]: 'menu' }}
          label={`Actions for ${listName(student)}`}
          icon={Ellipsis}
          className="size-[32px]!"
        />
      }
      entries={entries}
    />
  )
}

/** The buttons of a student's card. */
export function ActionButtons({ student, actions }: RowActionsProps) {
  return (
    <div className="-mx-1 flex flex-wrap gap-1.5">
      {actions.map((action) => (
        <Button
          key={action.name}
          {...wiringOf(student, action)}
          variant="outline"
          aria-label={`${action.label} ${listName(student)}`}
          className={clsx('flex-auto px-1.5! text-sm!', action.danger && 'text-danger!')}
        >
          {action.label}
        </Button>
      ))}
    </div>
  )
}

export const rowAttribute = 'data-student'

export const actionAttribute = 'data-action'

export const listTitleId = 'list-title'

/** Counted from 0; -1 when the row is gone. */
interface OpenedFrom {
  action: RowAction['name']
  student: string
}

function rows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`[${rowAttribute}]`)]
}

export function indexOfRow(student: string): number {
  return rows().findIndex((row) => row.getAttribute(rowAttribute) === student)
}

/** Focuses the same button in the row that moved up, else the list's title. */
export function focusRowAt(index: number, action: string | null): void {
  const remaining = rows()
  const row = remaining[Math.min(index, remaining.length - 1)]
  const sameOf = (name: string) =>
    row?.querySelector<HTMLElement>(`[${actionAttribute}="${CSS.escape(name)}"]`)
  const same = action && (sameOf(action) ?? sameOf('menu'))
  const next =
    same || row?.querySelector<HTMLElement>('button, input') || document.getElementById(listTitleId)
  next?.focus()
}

/** After closing, focuses the button that opens the record, or the row in its place when the record is gone. */
export function useRowFocusBack(opened: OpenedFrom | null): void {
  const [last, setLast] = useState<(OpenedFrom & { index: number }) | null>(null)
  const key = opened && actionButtonId(opened.action, opened.student)
  const follow = useEffectEvent(() => {
    if (opened) return setLast({ ...opened, index: indexOfRow(opened.student) })
    if (last) focusBack(last)
    setLast(null)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when something opens or closes
  useEffect(() => {
    // The dialog moves the focus itself when it has closed; this comes after it.
    return runAfter(0, () => follow())
  }, [key])
}

function focusBack({ action, student, index }: OpenedFrom & { index: number }): void {
  const [own, menu] = [action, 'menu' as const].map((name) =>
    document.getElementById(actionButtonId(name, student)),
  )
  const button = own ?? menu
  if (button) button.focus()
  else focusRowAt(Math.max(index, 0), action)
}

const buttons = {
  details: 'view',
  edit: 'edit',
  form: 'form',
  duplicates: 'duplicates',
} as const satisfies Record<OpenRecord['as'], RowAction['name']>

export function openedFrom(opened: OpenRecord | null, deleting: StudentListItem | null): OpenedFrom | null {
  if (opened) return { action: buttons[opened.as], student: opened.id }
  return deleting && { action: 'delete', student: deleting.id }
}

/** Marks a possible duplicate; opens the comparison. In a table's row the name needs the room. */
export function DuplicateMark({ student, layout }: { student: StudentListItem; layout: ListConfig }) {
  const navigation = useStudentsNavigation(layout)
  const { can } = useAccount()
  if (!can('students.change')) return null
  if (!student.isDuplicate || !layout.filters.includes('duplicates')) return null
  return (
    <button
      type="button"
      id={actionButtonId('duplicates', student.id)}
      {...{ [actionAttribute]: 'duplicates' }}
      title="Possible duplicate"
      onClick={() => navigation.open({ as: 'duplicates', id: student.id })}
      // Enlarges the touch target on a phone.
      className="relative inline-flex min-h-6 items-center rounded-full bg-warning-soft px-2.5 py-0.5 text-left text-xs font-semibold text-warning underline-offset-2 hover:underline md:px-1.5 print:hidden max-md:after:absolute max-md:after:inset-x-0 max-md:after:-inset-y-2.5"
    >
      <CopyCheck className="size-4 max-md:hidden" />
      <span className="md:sr-only">
        Possible duplicate<span className="sr-only"> of {listName(student)}</span>
      </span>
    </button>
  )
}

/** The question isn't in the address: a shared link must not open a delete dialog. Any navigation closes the dialog. */
export function useQuestion<T>() {
  const { key } = useLocation()
  const [question, setQuestion] = useState<{ key: string; about: T } | null>(null)
  return {
    about: question?.key === key ? question.about : null,
    ask: (about: T) => setQuestion({ key, about }),
    close: () => setQuestion(null),
  }
}

export const nothingSelected = 'No students selected for archiving'

export type Selection = ReturnType<typeof useSelection>

const selectionKey = ['students', 'selection'] as const

interface SelectionState {
  key: string
  ids: ReadonlySet<string>
  isComplete: boolean
}

const nothing = { ids: new Set<string>(), isComplete: false }

/**
 * The selection within one set of students. It survives paging, sorting and other screens, and ends with the sign-in;
 * under other filters it is empty, also while their list is being read, so that no action reaches rows out of sight.
 * @param key see `setKey`
 */
export function useSelection(key: string) {
  const client = useQueryClient()
  const stored = () => client.getQueryData<SelectionState>(selectionKey)
  // Not by useQuery, which shows a change too late for a checkbox.
  const [state, show] = useState(stored)
  const within = (one: SelectionState | undefined) => (one?.key === key ? one : nothing)
  const { ids, isComplete } = within(state)

  function change(next: (current: Omit<SelectionState, 'key'>) => Omit<SelectionState, 'key'>) {
    const changed = { key, ...next(within(stored())) }
    client.setQueryDefaults(selectionKey, { gcTime: Number.POSITIVE_INFINITY })
    client.setQueryData(selectionKey, changed)
    show(changed)
  }

  // An action may end after others were selected under other filters.
  const shrink: typeof change = (next) => {
    if (stored()?.key === key) change(next)
  }

  return {
    ids,
    isComplete,
    toggle: (id: string) =>
      change((current) => {
        const ids = new Set(current.ids)
        if (!ids.delete(id)) ids.add(id)
        return { ids, isComplete: false }
      }),
    drop: (id: string) =>
      shrink(({ ids, isComplete }) => ({ ids: new Set([...ids].filter((one) => one !== id)), isComplete })),
    selectAll: (ids: readonly string[]) => change(() => ({ ids: new Set(ids), isComplete: ids.length > 0 })),
    clear: () => shrink(() => nothing),
  }
}

/** The actions on records, one at a time (product 28.8): a second click while one is running does nothing. */
export function useRecordActions() {
  const readAgain = useReadAgain('students', 'mail')
  const deleteRecord = useDeleteRecord()
  const [failure, fail] = useState<string | null>(null)
  const [ownChanges, setOwnChanges] = useState(0)
  const [isBusy, setBusy] = useState(false)
  // State changes with the next render; a second click can come before it.
  const isActing = useRef(false)

  function noteChange() {
    setOwnChanges((count) => count + 1)
    fail(null)
    // A change event reloads too, but not while the event stream is disconnected.
    void readAgain()
  }

  async function act(whatFailed: string, work: () => Promise<void>): Promise<boolean> {
    if (isActing.current) return false
    isActing.current = true
    setBusy(true)
    try {
      await work()
      return true
    } catch (error) {
      fail(failureText(whatFailed, error))
      // The reason may be that another user changed or deleted the record.
      void readAgain()
      return false
    } finally {
      isActing.current = false
      setBusy(false)
    }
  }

  function showArchive(message: string, ids: readonly string[]) {
    const noun = ids.length === 1 ? 'student' : 'students'
    const undo = async () => {
      const { count } = await callApi(slowApi.students.unarchive.$post({ json: { ids: [...ids] } }))
      showToast('success', unarchivedSentence(count))
      noteChange()
    }
    const link = { label: 'View archived', to: archiveListConfig.path }
    showUndoable({ message, whatFailed: `Failed to unarchive ${noun}`, undo, link })
    noteChange()
  }

  return {
    failure,
    fail,
    ownChanges,
    noteChange,
    isBusy,

    archive: (id: string) =>
      act('Failed to archive student', async () => {
        await callApi(api.students[':id'].archive.$post({ param: { id } }))
        showArchive('Student archived successfully', [id])
      }),

    unarchive: (id: string) =>
      act('Failed to unarchive student', async () => {
        await callApi(api.students[':id'].unarchive.$post({ param: { id } }))
        showToast('success', 'Student unarchived successfully')
        noteChange()
      }),

    remove: (id: string) =>
      act('Failed to delete student', async () => {
        await deleteRecord(id, () => callApi(api.students[':id'].$delete({ param: { id } })))
        showToast('success', 'Student deleted successfully')
        noteChange()
      }),

    archiveAll: (selected: readonly string[]) =>
      act('Failed to archive selected students', async () => {
        const { count, ids } = await callApi(slowApi.students.archive.$post({ json: { ids: [...selected] } }))
        if (count > 0) return showArchive(archivedSentence(count), ids)
        // Another user archived them in the meantime.
        showToast('warning', nothingSelected)
        noteChange()
      }),

    rejectAll: (selected: readonly string[]) =>
      act('Failed to mark the registrations as fake', async () => {
        const { count } = await callApi(slowApi.students.rejections.$post({ json: { ids: [...selected] } }))
        showToast('success', `${countOf(count, 'registration')} marked as fake.`)
        noteChange()
      }),

    undoRejection: (id: string) =>
      act('Failed to restore the registrations', async () => {
        const undo = slowApi.students.rejections[':id'].undo
        const { count, skipped } = await callApi(undo.$post({ param: { id } }))
        const rest =
          skipped > 0
            ? ` ${countOf(skipped, 'form')} ${skipped === 1 ? 'was' : 'were'} resubmitted and not restored.`
            : ''
        showToast('success', `${countOf(count, 'registration')} restored.${rest}`)
        noteChange()
      }),

    changeAll: (change: BulkChange) =>
      act('Failed to change selected students', async () => {
        const { id, ...changed } = await callApi(slowApi.students.changes.$post({ json: change }))
        noteChange()
        const message = bulkChangeText(changed, change)
        if (changed.count === 0) return void showToast('warning', message)
        showUndoable({
          message,
          whatFailed: 'Failed to undo the change',
          async undo() {
            sayUndone(await callApi(slowApi.students.changes[':id'].undo.$post({ param: { id } })))
            noteChange()
          },
        })
      }),
  }
}

export interface BulkChange {
  ids: string[]
  field: BulkField
  value: string
}

function sayUndone({ count, skipped, moved }: { count: number; skipped: number; moved: number }) {
  const without = moved === 0 ? '' : ` ${countOf(moved, 'enrollment')} did not get the section back.`
  const message = `${countOf(count, 'student')} changed back.${without}`
  if (skipped === 0) return void showToast('success', message)
  const rest =
    skipped === 1 ? '1 was changed since and was' : `${figureText(skipped)} were changed since and were`
  showToast('warning', `${message} ${rest} not changed back.`, { shownMs: undoMs })
}

function unarchivedSentence(count: number): string {
  return count === 1
    ? 'Student unarchived successfully'
    : `${countOf(count, 'student')} unarchived successfully`
}

function archivedSentence(count: number): string {
  return `${countOf(count, 'student')} archived successfully`
}
