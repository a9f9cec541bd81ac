import { clsx } from 'clsx'
import { CopyCheck, type LucideIcon } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useNavigate, useRevalidator } from 'react-router'
import type { StudentListItem } from '#shared/students/student.ts'
import { Button, IconButton } from '#web/components/button.tsx'
import { DeleteModal } from '#web/components/delete-modal.tsx'
import { showToast } from '#web/components/toaster.tsx'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'
import { countOf, figureText } from '#web/lib/number-texts.ts'
import { archivePlace, listName, type OpenRecord, type RecordReading, type StudentsData } from './data.ts'

/** What can be done with one row. Archive and Unarchive are one action: the focus stays on its button. */
interface RowAction {
  name: 'view' | 'edit' | 'archive' | 'delete' | 'form' | 'duplicates'
  label: string
  Icon: LucideIcon
  /** Destroys something. */
  danger?: true
  onSelect: () => void
}

export type ActionsOf = (student: StudentListItem) => readonly RowAction[]

/** The button of a row's action; the focus comes back to it. */
function actionButtonId(action: RowAction['name'], student: string): string {
  return `${action}-${student}`
}

interface RowActionsProps {
  student: StudentListItem
  actions: readonly RowAction[]
}

function wiringOf(student: StudentListItem, { name, onSelect }: RowAction) {
  return { id: actionButtonId(name, student.id), [actionAttribute]: name, onClick: onSelect }
}

/** The actions as pictures, for a table of many columns. */
export function ActionIcons({ student, actions }: RowActionsProps) {
  return (
    <div className="-m-0.5 flex xl:max-[90rem]:w-15 xl:max-[90rem]:flex-wrap">
      {actions.map((action) => (
        <IconButton
          key={action.name}
          {...wiringOf(student, action)}
          label={`${action.label} ${listName(student)}`}
          className={clsx('size-7.5!', action.danger && 'hover:text-danger')}
        >
          <action.Icon aria-hidden="true" className="size-4.5" />
        </IconButton>
      ))}
    </div>
  )
}

/** The actions as words: on a phone's card, where they share its width, and in a table of few columns. */
export function ActionButtons({ student, actions, isCard = false }: RowActionsProps & { isCard?: boolean }) {
  return (
    <div className={clsx('flex gap-1.5', isCard && '-mx-1')}>
      {actions.map((action) => (
        <Button
          key={action.name}
          {...wiringOf(student, action)}
          variant="outline"
          size={isCard ? 'md' : 'sm'}
          aria-label={`${action.label} ${listName(student)}`}
          className={clsx(isCard && 'flex-auto px-1.5! text-sm!', action.danger && 'text-danger!')}
        >
          {action.label}
        </Button>
      ))}
    </div>
  )
}

/** Marks a row by the student it stands for. */
export const rowAttribute = 'data-student'

/** Names the action of a row's button, for the focus that moves on when the row goes away. */
export const actionAttribute = 'data-action'

/** Where the focus goes when no row is left. */
export const listTitleId = 'list-title'

/** What a row's button opened. */
interface OpenedFrom {
  action: RowAction['name']
  student: string
}

function rows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`[${rowAttribute}]`)]
}

/** The place of a student's row in the list, counted from 0; -1 when it isn't there. */
export function indexOfRow(student: string): number {
  return rows().findIndex((row) => row.getAttribute(rowAttribute) === student)
}

/** Focuses the same button in the row that took the place of one that went away, or the list's title. */
export function focusRowAt(index: number, action: string | null): void {
  const shown = rows()
  const row = shown[Math.min(index, shown.length - 1)]
  const same = action && row?.querySelector<HTMLElement>(`[${actionAttribute}="${CSS.escape(action)}"]`)
  const next =
    same || row?.querySelector<HTMLElement>('button, input') || document.getElementById(listTitleId)
  next?.focus()
}

/**
 * After closing, the focus is on the button that opens what was open, also when a link had opened it; if its
 * row is gone, on that of the row in its place.
 */
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
    const timer = setTimeout(follow)
    return () => clearTimeout(timer)
  }, [key])
}

function focusBack({ action, student, index }: OpenedFrom & { index: number }): void {
  const button = document.getElementById(actionButtonId(action, student))
  if (button) button.focus()
  else focusRowAt(Math.max(index, 0), action)
}

/** What was read of the open record; null while it is on its way. */
export function readingOf(data: StudentsData | null, opened: OpenRecord | null): RecordReading | null {
  return data && opened && data.address.opened?.id === opened.id ? data.record : null
}

const buttons = {
  details: 'view',
  edit: 'edit',
  form: 'form',
  duplicates: 'duplicates',
} as const satisfies Record<OpenRecord['as'], RowAction['name']>

/** The row's button that leads to what is open: to a record, or to the question whether to delete one. */
export function openedFrom(opened: OpenRecord | null, deleting: StudentListItem | null): OpenedFrom | null {
  if (opened) return { action: buttons[opened.as], student: opened.id }
  return deleting && { action: 'delete', student: deleting.id }
}

/** Marks a student whom another record may show too; leads to the comparison. */
export function DuplicateMark({ student, onOpen }: { student: StudentListItem; onOpen: () => void }) {
  if (!student.isDuplicate) return null
  return (
    <button
      type="button"
      id={actionButtonId('duplicates', student.id)}
      {...{ [actionAttribute]: 'duplicates' }}
      onClick={onOpen}
      // On a phone a finger may miss the badge by ten pixels.
      className="relative inline-flex min-h-6 items-center rounded-full bg-warning-soft px-2.5 py-0.5 text-left text-xs font-semibold text-warning underline-offset-2 hover:underline print:hidden max-md:after:absolute max-md:after:inset-x-0 max-md:after:-inset-y-2.5"
    >
      Possible duplicate<span className="sr-only"> of {listName(student)}</span>
    </button>
  )
}

/** The same over a student's details. */
export function DuplicateNote({ onCompare }: { onCompare: () => void }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-box border border-warning bg-warning-soft px-4 py-3">
      <p className="min-w-0 flex-1 basis-60 text-sm font-medium text-warning">
        Another record may be the same person.
      </p>
      <Button
        variant="outline"
        size="sm"
        icon={<CopyCheck aria-hidden="true" className="size-4" />}
        onClick={onCompare}
      >
        Compare records
      </Button>
    </div>
  )
}

interface DeleteStudentModalProps {
  /** Whose record is asked about, null for nobody's. */
  student: StudentListItem | null
  /** Spec §2: the page of the archived students says 'permanently delete'. */
  verb: 'delete' | 'permanently delete'
  isBusy: boolean
  onDelete: (student: StudentListItem) => void
  onClose: () => void
}

/** Asks before a record is deleted (spec §2). */
export function DeleteStudentModal({ student, verb, ...modal }: DeleteStudentModalProps) {
  return (
    <DeleteModal {...modal} title="Delete Student" thing={student}>
      {({ firstName, lastName }) => (
        <p className="wrap-anywhere">
          Are you sure you want to {verb} {firstName} {lastName}'s record? This action cannot be undone.
        </p>
      )}
    </DeleteModal>
  )
}

/**
 * A question that is asked over the page, such as whether to delete a record. It isn't in the address: a sent
 * link must not ask to destroy something. Going anywhere else, Back too, takes it away.
 */
export function useQuestion<T>() {
  const { key } = useLocation()
  const [asked, setAsked] = useState<{ key: string; about: T } | null>(null)
  return {
    about: asked?.key === key ? asked.about : null,
    ask: (about: T) => setAsked({ key, about }),
    close: () => setAsked(null),
  }
}

/** In the history entry of a list that one is led to: its title gets the focus, for the last button is gone. */
const titleFirst = { focus: 'title' }

/** Whether a history entry says so. */
export function isTitleFirst(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'focus' in state && state.focus === titleFirst.focus
}

/** The warning of an act on a selection that holds nobody (spec §5). */
export const nothingSelected = 'No students selected for archiving'

/** How many are selected, what can be done with them, and the way back to none. */
export function SelectionBar({ selection, children }: { selection: Selection; children: ReactNode }) {
  const { size } = selection.ids
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {/* Stands there always: what a status says is read out only when it changes. */}
      <p role="status" className="font-semibold empty:hidden">
        {size > 0 && `${figureText(size)} selected`}
      </p>
      {size > 0 && (
        <>
          {children}
          <Button variant="ghost" size="sm" className="text-primary underline" onClick={selection.clear}>
            Clear selection
          </Button>
        </>
      )}
    </div>
  )
}

/** The students that a person ticked, on whatever page they are. */
export interface Selection {
  ids: ReadonlySet<string>
  /** Whether everything that can be selected was, by one press. */
  isComplete: boolean
  toggle: (id: string) => void
  /** Takes one out, because its record is gone. */
  drop: (id: string) => void
  /** Takes these instead: all that the filters show. */
  selectAll: (ids: readonly string[]) => void
  clear: () => void
}

const nothing = { ids: new Set<string>(), isComplete: false }

/**
 * What is selected within one set of students. It stays from page to page and in another order; other filters
 * begin anew, so that nothing out of sight can be acted on.
 *
 * @param key what tells one set from another
 */
export function useSelection(key: string): Selection {
  const [state, setState] = useState({ key, ...nothing })
  if (state.key !== key) setState({ key, ...nothing })

  return {
    ids: state.ids,
    isComplete: state.isComplete,
    toggle(id) {
      setState((current) => {
        const ids = new Set(current.ids)
        if (!ids.delete(id)) ids.add(id)
        return { key, ids, isComplete: false }
      })
    },
    drop(id) {
      setState(({ ids, isComplete }) => ({
        key,
        ids: new Set([...ids].filter((one) => one !== id)),
        isComplete,
      }))
    },
    selectAll(ids) {
      setState({ key, ids: new Set(ids), isComplete: ids.length > 0 })
    },
    clear() {
      setState({ key, ...nothing })
    },
  }
}

/** What can be done with records from a list of students. Failures are told over the list (spec §8). */
export interface RecordActions {
  /** What went wrong last; null after it was taken away, and after the next success. */
  failure: string | null
  fail: (sentence: string | null) => void
  /** Counts the changes that were made here. */
  ownChanges: number
  noteChange: () => void
  isBusy: boolean
  /** Each tells whether it succeeded. */
  archive: (id: string) => Promise<boolean>
  unarchive: (id: string) => Promise<boolean>
  remove: (id: string) => Promise<boolean>
  archiveAll: (ids: readonly string[]) => Promise<boolean>
}

/** The acts of spec §4 with their sentences. One at a time: a second press while one is on its way does nothing. */
export function useRecordActions(): RecordActions {
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const [failure, fail] = useState<string | null>(null)
  const [ownChanges, setOwnChanges] = useState(0)
  const [isBusy, setBusy] = useState(false)
  // State changes with the next render, and a second press can come before it.
  const isActing = useRef(false)

  function noteChange() {
    setOwnChanges((count) => count + 1)
    fail(null)
    // The notice of the change comes too, but not while the connection for notices is lost.
    void revalidate()
  }

  async function act(whatFailed: string, work: () => Promise<void>): Promise<boolean> {
    if (isActing.current) return false
    isActing.current = true
    setBusy(true)
    try {
      await work()
      return true
    } catch (error) {
      fail(`${whatFailed}: ${sentenceOf(error)}`)
      // The reason may be that somebody else changed or deleted the record.
      void revalidate()
      return false
    } finally {
      isActing.current = false
      setBusy(false)
    }
  }

  function showArchive(message: string, ids: readonly string[]) {
    fail(null)
    tellArchived(message, ids, () => void revalidate())
    void navigate(archivePlace.path, { state: titleFirst })
  }

  return {
    failure,
    fail,
    ownChanges,
    noteChange,
    isBusy,

    archive: (id) =>
      act('Failed to archive student', async () => {
        await callApi(api.students[':id'].archive.$post({ param: { id } }))
        showArchive('Student archived successfully', [id])
      }),

    unarchive: (id) =>
      act('Failed to unarchive student', async () => {
        await callApi(api.students[':id'].unarchive.$post({ param: { id } }))
        showToast({ type: 'success', message: 'Student unarchived successfully' })
        noteChange()
      }),

    remove: (id) =>
      act('Failed to delete student', async () => {
        await callApi(api.students[':id'].$delete({ param: { id } }))
        showToast({ type: 'success', message: 'Student deleted successfully' })
        noteChange()
      }),

    archiveAll: (selected) =>
      act('Failed to archive selected students', async () => {
        const { count, ids } = await callApi(api.students.archive.$post({ json: { ids: [...selected] } }))
        if (count > 0) return showArchive(archivedSentence(count), ids)
        // Others archived them in the meantime.
        showToast({ type: 'warning', message: nothingSelected })
        noteChange()
      }),
  }
}

/** Time to change one's mind about an archiving, in milliseconds: longer than a notice that only tells. */
const undoMs = 20_000

/** Tells that students were archived, and offers to put exactly these back; `onUndone` follows when they are. */
function tellArchived(message: string, ids: readonly string[], onUndone: () => void): void {
  const onSelect = () => void undo(ids, onUndone)
  showToast({ type: 'success', message, shownMs: undoMs, action: { label: 'Undo', onSelect } })
}

/** The notice outlives the list it came from, so what goes wrong is told by a notice too. */
async function undo(ids: readonly string[], onUndone: () => void): Promise<void> {
  try {
    const { count } = await callApi(api.students.unarchive.$post({ json: { ids: [...ids] } }))
    showToast({ type: 'success', message: unarchivedSentence(count) })
    onUndone()
  } catch (error) {
    const action = { label: 'Try again', onSelect: () => void undo(ids, onUndone) }
    const noun = ids.length === 1 ? 'student' : 'students'
    const message = `Failed to unarchive ${noun}: ${sentenceOf(error)}`
    showToast({ type: 'error', message, shownMs: undoMs, action })
  }
}

function unarchivedSentence(count: number): string {
  return count === 1
    ? 'Student unarchived successfully'
    : `${countOf(count, 'student')} unarchived successfully`
}

/** Of a selection (spec §8), which may be of one. */
function archivedSentence(count: number): string {
  return `${countOf(count, 'student')} archived successfully`
}
