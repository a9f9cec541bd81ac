import { clsx } from 'clsx'
import type { LucideIcon } from 'lucide-react'
import type { StudentListItem } from '#shared/student.ts'
import { Button, IconButton } from '#web/components/button.tsx'
import { actionAttribute } from './row-attributes.ts'
import { listName } from './student-texts.ts'

/** What can be done with one row. Archive and Unarchive are one action: the focus stays on its button. */
export interface RowAction {
  name: 'view' | 'edit' | 'archive' | 'delete' | 'form' | 'duplicates'
  label: string
  Icon: LucideIcon
  /** Destroys something. */
  danger?: true
  onSelect: () => void
}

export type ActionsOf = (student: StudentListItem) => readonly RowAction[]

/** The button of a row's action; the focus comes back to it. */
export function actionButtonId(action: RowAction['name'], student: string): string {
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
