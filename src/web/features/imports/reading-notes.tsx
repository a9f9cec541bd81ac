import type { ImportDetails } from '#shared/imports/import-response.ts'
import { SmallButton } from '#web/components/button.tsx'
import { slowApi } from '#web/lib/api.ts'
import type { ImportAction } from './imports-data.ts'

interface ReadingNotesProps {
  details: ImportDetails
  action: ImportAction
}

/** What was guessed or left out when the file was read, and the other way by one press. */
export function ReadingNotes({ details: { id, readingNotes }, action }: ReadingNotesProps) {
  if (readingNotes.length === 0) return null
  return (
    <section aria-labelledby="reading-title">
      <h2 id="reading-title" className="mb-2 text-lg font-semibold">
        How the file was read
      </h2>
      <ul className="divide-y divide-line rounded-box border bg-card shadow-card">
        {readingNotes.map(({ text, press }) => (
          <li
            key={text}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2.5 text-sm"
          >
            <p className="min-w-0 flex-1 basis-60 wrap-anywhere">{text}</p>
            {press && (
              <SmallButton
                disabled={action.isPending}
                onClick={() =>
                  action.run({
                    failed: 'Failed to read the file again',
                    send: () => slowApi.imports[':id'].reading.$put({ param: { id }, json: press.choices }),
                  })
                }
              >
                {press.label}
                <span className="sr-only">: {text}</span>
              </SmallButton>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
