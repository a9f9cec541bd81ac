import { clsx } from 'clsx'
import { useEffect, useRef } from 'react'
import { announcementPath } from '#shared/announcement-paths.ts'
import type { ManagedAnnouncement } from '#shared/announcements.ts'
import { Button, ButtonLink } from '#web/components/button.tsx'
import type { Deletion } from './use-deletion.ts'

interface RowActionsProps {
  announcement: ManagedAnnouncement
  deletion: Deletion
  onEdit: (id: string) => void
  /** On a phone's card they share its width. */
  isCard?: boolean
}

/** What can be done with one announcement. Delete asks in its own place (spec §2). */
export function RowActions({ announcement, deletion, onEdit, isCard = false }: RowActionsProps) {
  const { id, title } = announcement
  const isAsked = deletion.asked?.id === id
  const deleteButton = useFocusAfterQuestion(isAsked)
  const size = isCard ? 'md' : 'sm'
  const look = clsx('text-sm!', isCard && 'flex-auto')
  if (isAsked) return <DeleteQuestion title={title} deletion={deletion} isCard={isCard} />
  return (
    <div className="flex gap-1.5">
      <ButtonLink
        to={announcementPath(id)}
        variant="outline"
        size={size}
        aria-label={`View ${title}`}
        className={look}
      >
        View
      </ButtonLink>
      <Button
        variant="outline"
        size={size}
        aria-label={`Edit ${title}`}
        className={look}
        onClick={() => onEdit(id)}
      >
        Edit
      </Button>
      <Button
        ref={deleteButton}
        variant="outline"
        size={size}
        aria-label={`Delete ${title}`}
        className={clsx(look, 'text-danger!')}
        onClick={() => deletion.ask(announcement)}
      >
        Delete
      </Button>
    </div>
  )
}

/** After No the focus is where it was before the question. */
function useFocusAfterQuestion(isAsked: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const wasAsked = useRef(false)
  useEffect(() => {
    if (wasAsked.current && !isAsked) button.current?.focus()
    wasAsked.current = isAsked
  }, [isAsked])
  return button
}

interface DeleteQuestionProps {
  title: string
  deletion: Deletion
  isCard: boolean
}

function DeleteQuestion({ title, deletion: { isBusy, confirm, cancel }, isCard }: DeleteQuestionProps) {
  const no = useRef<HTMLButtonElement>(null)
  useEffect(() => no.current?.focus(), [])
  const size = isCard ? 'md' : 'sm'
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields; this holds a question together
    <div
      role="group"
      aria-label={`Delete “${title}”?`}
      className="flex items-center gap-1.5"
      onKeyDown={({ key }) => {
        if (key === 'Escape') cancel()
      }}
    >
      {/* In two lines where the table is narrow: the row stays as high as it was. */}
      <span className="mr-1 text-sm leading-tight font-semibold">Delete for good?</span>
      <Button
        variant="danger"
        size={size}
        className="text-sm!"
        aria-disabled={isBusy}
        onClick={() => void confirm()}
      >
        {isBusy ? 'Deleting…' : 'Yes'}
      </Button>
      <Button ref={no} variant="outline" size={size} className="text-sm!" disabled={isBusy} onClick={cancel}>
        No
      </Button>
    </div>
  )
}
