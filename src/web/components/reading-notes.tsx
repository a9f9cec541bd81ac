import type { ReadingChoices, ReadingNote } from '#shared/imports/import-response.ts'
import { SmallButton } from './button.tsx'

interface ReadingNotesProps {
  notes: readonly ReadingNote[]
  isBusy: boolean
  onPress: (choices: ReadingChoices) => void
}

/** What was guessed or left out when a file was read, and the other ways by one press each. */
export function ReadingNotes({ notes, isBusy, onPress }: ReadingNotesProps) {
  return (
    <ul className="divide-y divide-line rounded-box border bg-card shadow-card">
      {notes.map(({ text, presses }) => (
        <li
          key={text}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2.5 text-sm"
        >
          <p className="min-w-0 flex-1 basis-60 wrap-anywhere">{text}</p>
          {presses.length > 0 && (
            <div className="flex flex-wrap gap-2">
              {presses.map(({ label, choices }) => (
                <SmallButton key={label} disabled={isBusy} onClick={() => onPress(choices)}>
                  {label}
                  <span className="sr-only">: {text}</span>
                </SmallButton>
              ))}
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}
